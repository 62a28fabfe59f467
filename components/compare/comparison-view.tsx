import { useState } from 'react';
import { deltaWords, differenceName, groupWords, resultWords, valueWords } from '#lib/compare/difference-words.ts';
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
	const apart = costs.filter(({ a, b }) => a !== null && b !== null && a !== b);
	if (apart.length === 0) return null;
	return (
		<section aria-label={say('What it cost more')}>
			<h2 className="text-muted">{say('From the first run to the second')}</h2>
			<div className="grid grid-cols-2 gap-x-6 gap-y-2 pt-1 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
				{apart.map((each) => (
					<p key={each.name}>
						<span className="block text-muted text-small">{differenceName(each, say)}</span>{' '}
						<strong className="font-semibold tabular-nums">
							{valueWords(each.a, each.unit, say.language)} → {valueWords(each.b, each.unit, say.language)}
						</strong>
						<span className="block text-muted text-small tabular-nums"> ({deltaWords(each, say.language)})</span>
					</p>
				))}
			</div>
		</section>
	);
}

const FIRST = 6;

const sides = [
	{ side: 'a', label: 'First run' },
	{ side: 'b', label: 'Second run' },
] as const;

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
			<p className="font-semibold text-page max-md:text-title">
				<Explanation of={divergence} />
			</p>
			<p className="flex flex-wrap gap-x-4">
				{sides.map(
					({ side, label }) =>
						divergence[side] && (
							<span key={side}>
								{say(label)} <PlaceLink run={found[side]} place={divergence[side]} label={say(label)} />
							</span>
						),
				)}
			</p>
		</section>
	);
}

/** Where one run went on with a stage that the other reached later, each later pair would say so again. */
const isSaidBefore = (list: readonly Divergence[], { kind, a }: Divergence, at: number) =>
	kind === 'order' && list.findIndex((one) => one.kind === kind && one.a?.row === a?.row) < at;

/** What differs is how, or whether, one run of a stage ended: the columns of the two runs say it. */
const ofStage: ReadonlySet<Divergence['kind']> = new Set(['verdict', 'stage', 'repeat']);

function LaterDivergences({ found }: { found: Comparison }) {
	const say = useSay();
	const [isAll, setAll] = useState(false);
	const later = found.divergences.filter((each, at, all) => at > 0 && !isSaidBefore(all, each, at));
	if (later.length === 0) return null;
	const positions = sides.map(
		({ side, label }): Column<Divergence> => ({
			...{ key: side, head: say(label), className: 'w-24 sm:w-52' },
			cell: ({ kind, stage, nth, [side]: own }) => {
				const pass = ofStage.has(kind) && found.stages.find((one) => one.stage === stage && one.nth === nth)?.[side];
				return (
					own && (
						<>
							{own.has && pass && <AgentText className="sm:mr-2">{resultWords(pass, say)}</AgentText>}{' '}
							<PlaceLink run={found[side]} place={own} label={say(label)} />
						</>
					)
				);
			},
		}),
	);
	return (
		<Part title={say('And after that')}>
			<Table
				rows={isAll ? later : later.slice(0, FIRST)}
				keyOf={({ kind, stage, nth, a, b, explanation }) => [kind, stage, nth, a?.row, b?.row, explanation].join(' ')}
				columns={[
					{
						key: 'what',
						head: say('What differs'),
						className: 'pl-0',
						cell: (each) => <Explanation of={each} isShort={ofStage.has(each.kind)} />,
					},
					...positions,
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

/** The server's explanation of a divergence, which may quote an agent; of one that its columns tell, the stage alone. */
function Explanation({ of, isShort = false }: { of: Divergence; isShort?: boolean }) {
	const say = useSay();
	const { stage, nth } = of;
	const short = nth > 1 ? `${stage} · ${say('run {nth}', { nth })}` : stage;
	return <AgentText className="[overflow-wrap:anywhere]">{isShort ? short : say.field(of, 'explanation')}</AgentText>;
}

/** Link to the recording at the divergence. A run without the diverging event is opened where it would have been. */
function PlaceLink({ run, place, label }: { run: ComparedRun; place: RunPosition; label: string }) {
	const say = useSay();
	const began = Date.parse(run.from ?? place.at);
	const hasDays = !isSameDay(began, began + run.workMs + run.idleMs) || !isSameDay(began, Date.now());
	const time = `${hasDays ? `${dayWords(place.at, Date.now(), say.language)} ` : ''}${hourMinute(place.at)}`;
	return (
		<TextLink
			href={runAddress(run, place)}
			title={dayAndTime(place.at)}
			className={cn('tabular-nums', !place.has && 'min-w-6 text-muted')}
		>
			<span className="sr-only">{label}: </span>
			{place.has ? time : '–'}
			{!place.has && <span className="sr-only">{say('not there')}</span>}
		</TextLink>
	);
}

/** The figures of both runs, at first those in which they differ. Sorted by size, the largest difference comes first. */
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
					...sides.map(({ side, label }) => ({
						...{ key: side, head: say(label), isNumber: true },
						cell: ({ [side]: value, unit }: Difference) => valueWords(value, unit, say.language),
					})),
					{
						...{ ...sortable('size'), head: say('Difference'), isNumber: true },
						cell: (row) => deltaWords(row, say.language),
					},
				]}
			/>
		</Part>
	);
}
