import { deltaWords, differenceName, groupWords, moreOrLess, valueWords } from '#lib/compare/difference-words.ts';
import { type Sorting, sortDifferences } from '#lib/compare/sort-differences.ts';
import type { ComparedRun, Comparison, Difference, Divergence, RunPosition } from '#lib/contract/archives/compare.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { runAddress } from '../row/addresses.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { Fold, Part } from '../ui/part.tsx';
import { Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { AlignedStories } from './aligned-stories.tsx';
import { useCompareParams } from './compare-params.ts';
import { StageMirror } from './stage-mirror.tsx';

export function ComparisonView({ found }: { found: Comparison }) {
	return (
		<>
			<FirstDivergence found={found} />
			<CostLine found={found} />
			<LaterDivergences found={found} />
			<StageMirror found={found} />
			<DifferenceTable differences={found.differences} />
			<AlignedStories found={found} />
		</>
	);
}

const COSTS = ['work', 'cost', 'inputTokens', 'outputTokens', 'retries', 'denials', 'overrides'];

function CostLine({ found: { differences } }: { found: Comparison }) {
	const say = useSay();
	const costs = COSTS.flatMap((name) => differences.find((each) => each.group === 'run' && each.name === name) ?? []);
	const apart = costs.filter(isApart);
	if (apart.length === 0) return null;
	return (
		<section aria-label={say('What it cost more')} className="flex flex-wrap gap-x-4 gap-y-1">
			<span className="text-muted">{say('Compared with the first, the second run:')}</span>
			{apart.map((each) => (
				<span key={each.name}>
					<span className="text-muted">{differenceName(each, say)}</span>{' '}
					<strong className="font-semibold tabular-nums">{moreOrLess(each, say)}</strong>
				</span>
			))}
		</section>
	);
}

const isApart = ({ a, b }: Difference) => a !== null && b !== null && a !== b;

const FIRST = 6;

function FirstDivergence({ found }: { found: Comparison }) {
	const say = useSay();
	const { divergence, isSame } = found;
	if (!divergence)
		return (
			<p role="status" className="rounded border border-line px-3 py-2">
				<Toned tone="ok">
					{isSame ? say('No difference.') : say('Both went the same way; what differs is in the table.')}
				</Toned>
			</p>
		);
	return (
		<section aria-label={say('Where they went apart')} className="border-warn border-l-2 pl-3">
			<h2 className="text-muted text-small">
				<span aria-hidden className="text-warn">
					≠{' '}
				</span>
				{say('First divergence')}
			</h2>
			<p className="font-semibold text-title">
				<Explanation of={divergence} />
			</p>
			<p className="flex flex-wrap gap-x-4">
				<Places found={found} divergence={divergence} />
			</p>
		</section>
	);
}

function LaterDivergences({ found }: { found: Comparison }) {
	const say = useSay();
	const later = found.divergences.slice(1);
	const rest = later.slice(FIRST);
	if (later.length === 0) return null;
	return (
		<Part title={say('And after that')}>
			<MoreDivergences found={found} list={later.slice(0, FIRST)} start={2} />
			{rest.length > 0 && (
				<Fold title={say('{count} more', { count: rest.length })}>
					<MoreDivergences found={found} list={rest} start={2 + FIRST} />
				</Fold>
			)}
		</Part>
	);
}

/** The server's explanation of a divergence. It may quote an agent. */
function Explanation({ of }: { of: Divergence }) {
	return <AgentText className="[overflow-wrap:anywhere]">{useSay().field(of, 'explanation')}</AgentText>;
}

function MoreDivergences({ found, list, start }: { found: Comparison; list: readonly Divergence[]; start: number }) {
	return (
		<ol start={start} className="list-inside list-decimal">
			{list.map((each, at) => (
				<li
					key={`${each.kind} ${each.stage} ${each.nth} ${each.a?.row} ${each.b?.row} ${each.explanation}`}
					className="grid items-baseline gap-x-4 border-line border-t py-0.5 sm:grid-cols-[1.5rem_minmax(0,1fr)_auto]"
				>
					<span aria-hidden className="text-muted tabular-nums max-sm:hidden">
						{start + at}
					</span>
					<Explanation of={each} />
					<span className="grid grid-cols-2 gap-x-4 max-sm:text-small sm:w-80">
						<Places found={found} divergence={each} />
					</span>
				</li>
			))}
		</ol>
	);
}

function Places({ found, divergence }: { found: Comparison; divergence: Divergence }) {
	const say = useSay();
	return (
		<>
			{divergence.a && <PlaceLink run={found.a} place={divergence.a} label={say('First run')} />}
			{divergence.b && <PlaceLink run={found.b} place={divergence.b} label={say('Second run')} />}
		</>
	);
}

/** Link to the recording at the divergence. A run without the diverging event is opened where it would have been. */
function PlaceLink({ run, place, label }: { run: ComparedRun; place: RunPosition; label: string }) {
	const say = useSay();
	return (
		<TextLink href={runAddress(run, place)} title={dayAndTime(place.at)} className="whitespace-pre tabular-nums">
			<span className="text-muted">{label}: </span>
			{place.has ? clockTime(place.at) : say('not there')}
		</TextLink>
	);
}

/** All figures of both runs. Sorted by size, the largest difference comes first. Bars and signs replace colour. */
function DifferenceTable({ differences }: { differences: readonly Difference[] }) {
	const say = useSay();
	const [{ sort, equal: isEqualShown }, setParams] = useCompareParams();
	const apart = differences.filter(({ size }) => size > 0);
	const equal = differences.length - apart.length;
	const rows = sortDifferences(isEqualShown ? differences : apart, sort);
	const sortable = (by: Sorting) => ({
		key: by,
		sorted: by === sort && (by === 'size' ? ('descending' as const) : ('ascending' as const)),
		onSort: () => void setParams({ sort: by }),
	});
	return (
		<Part
			title={say('Differences')}
			count={apart.length}
			aside={
				equal > 0 && (
					<Button
						size="small"
						kind="quiet"
						aria-pressed={isEqualShown}
						onClick={() => void setParams({ equal: !isEqualShown })}
					>
						{isEqualShown ? say('Hide what is equal') : say('Show {count} that are equal', { count: equal })}
					</Button>
				)
			}
		>
			<Table
				isWide
				rowClassName="hover:bg-hover"
				rows={rows}
				keyOf={({ group, name }) => `${group} ${name}`}
				columns={[
					{
						...{ ...sortable('group'), head: say('Kind'), className: 'text-muted max-sm:hidden' },
						cell: ({ group }) => say(groupWords[group]),
					},
					{
						...{ ...sortable('name'), head: say('What differs') },
						cellClassName: 'max-w-36 truncate sm:max-w-60 md:max-w-96',
						cell: (row) => <AgentText>{differenceName(row, say)}</AgentText>,
					},
					{
						...{ key: 'a', head: say('First run'), isNumber: true },
						cell: ({ a, unit }) => valueWords(a, unit, say.language),
					},
					{
						...{ key: 'b', head: say('Second run'), isNumber: true },
						cell: ({ b, unit }) => valueWords(b, unit, say.language),
					},
					{
						...{ ...sortable('size'), head: say('Difference'), isNumber: true },
						cell: (row) => <Size row={row} />,
					},
				]}
			/>
		</Part>
	);
}

function Size({ row }: { row: Difference }) {
	const say = useSay();
	const { a, b, size } = row;
	const isMore = (b ?? 0) > (a ?? 0);
	return (
		<span className={cn('inline-flex items-center gap-2', size === 0 && 'text-muted')}>
			<span aria-hidden className="flex h-2 w-16 bg-hover max-sm:hidden">
				<span className={cn('h-2', isMore ? 'bg-warn' : 'bg-run')} style={{ width: `${Math.round(size * 100)}%` }} />
			</span>
			<span className="min-w-14">{deltaWords(row, say.language)}</span>
		</span>
	);
}
