import { useState } from 'react';
import { deltaWords, differenceName, groupWords, moreOrLess, valueWords } from '#lib/compare/difference-words.ts';
import { type Sorting, sortDifferences } from '#lib/compare/sort-differences.ts';
import type { ComparedRun, Comparison, Difference, Divergence, RunPosition } from '#lib/contract/archives/compare.ts';
import { dayAndTime, dayWords, hourMinute, isSameDay } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { runAddress } from '../row/addresses.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { Part } from '../ui/part.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { AlignedStories } from './aligned-stories.tsx';
import { useCompareParams } from './compare-params.ts';
import { StageMirror } from './stage-mirror.tsx';

export function ComparisonView({ found }: { found: Comparison }) {
	return (
		<>
			<CostLine found={found} />
			<FirstDivergence found={found} />
			<LaterDivergences found={found} />
			<StageMirror found={found} />
			<DifferenceTable differences={found.differences} />
			<AlignedStories comparison={found} />
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
		<section aria-label={say('What it cost more')}>
			<h2 className="text-muted">{say('Compared with the first, the second run:')}</h2>
			<div className="grid grid-cols-2 gap-x-6 gap-y-2 pt-1 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
				{apart.map((each) => (
					<p key={each.name}>
						<span className="block text-muted text-small">{differenceName(each, say)}</span>{' '}
						<strong className="font-semibold text-title tabular-nums">{moreOrLess(each, say)}</strong>
					</p>
				))}
			</div>
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
				{divergence.a && (
					<span>
						{say('First run')} <PlaceLink run={found.a} place={divergence.a} label={say('First run')} />
					</span>
				)}
				{divergence.b && (
					<span>
						{say('Second run')} <PlaceLink run={found.b} place={divergence.b} label={say('Second run')} />
					</span>
				)}
			</p>
		</section>
	);
}

/** Where one run went on with a stage that the other reached later, each later pair would say so again. */
const isSaidBefore = (list: readonly Divergence[], { kind, a }: Divergence, at: number) =>
	kind === 'order' && list.findIndex((one) => one.kind === kind && one.a?.row === a?.row) < at;

function LaterDivergences({ found }: { found: Comparison }) {
	const say = useSay();
	const [isAll, setAll] = useState(false);
	const later = found.divergences.filter((each, at, all) => at > 0 && !isSaidBefore(all, each, at));
	if (later.length === 0) return null;
	const positionOf = (side: 'a' | 'b', head: string): Column<Divergence> => ({
		...{ key: side, head, className: 'w-20 sm:w-32' },
		cell: ({ [side]: own }) => own && <PlaceLink run={found[side]} place={own} label={head} />,
	});
	return (
		<Part title={say('And after that')}>
			<Table
				rows={isAll ? later : later.slice(0, FIRST)}
				keyOf={({ kind, stage, nth, a, b, explanation }) => [kind, stage, nth, a?.row, b?.row, explanation].join(' ')}
				columns={[
					{ key: 'what', head: say('What happened'), className: 'pl-0', cell: (each) => <Explanation of={each} /> },
					...[positionOf('a', say('First run')), positionOf('b', say('Second run'))],
				]}
			/>
			{later.length > FIRST && !isAll && (
				<Button kind="quiet" size="small" className="-ml-2 text-accent" onClick={() => setAll(true)}>
					{say('{count} more', { count: later.length - FIRST })}
				</Button>
			)}
		</Part>
	);
}

/** The server's explanation of a divergence. It may quote an agent. */
function Explanation({ of }: { of: Divergence }) {
	return <AgentText className="[overflow-wrap:anywhere]">{useSay().field(of, 'explanation')}</AgentText>;
}

/** Link to the recording at the divergence. A run without the diverging event is opened where it would have been. */
function PlaceLink({ run, place, label }: { run: ComparedRun; place: RunPosition; label: string }) {
	const say = useSay();
	const began = Date.parse(run.from ?? place.at);
	const hasDays = !isSameDay(began, began + run.workMs + run.idleMs) || !isSameDay(began, Date.now());
	const time = `${hasDays ? `${dayWords(place.at, Date.now(), say.language)} ` : ''}${hourMinute(place.at)}`;
	return (
		<TextLink href={runAddress(run, place)} title={dayAndTime(place.at)} className="tabular-nums">
			<span className="sr-only">{label}: </span>
			{place.has ? time : say('not there')}
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
