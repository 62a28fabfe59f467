import type { LedgerSeriesBy, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import {
	barsOf,
	type DayBar,
	type Measure,
	measureLooks,
	measures,
	spreadDays,
	stripWords,
} from '#lib/ledger/ledger-days.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { dayWords } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { Choice } from '../ui/choice.tsx';
import { cn } from '../ui/cn.ts';
import { Fold, NarrowFold } from '../ui/part.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { BarStrip } from './ledger-figures.tsx';
import { useChartParams, useLedgerParams } from './ledger-params.ts';

/**
 * Charts per day; with a split, by rule and by person below each other. `people` are the days of each person, null until loaded.
 */
export function LedgerCharts({ sums, people }: { sums: LedgerSummary; people: LedgerSummary | null }) {
	const say = useSay();
	const [{ by, of }, setParams] = useChartParams();
	return (
		<NarrowFold title={say('{denied} denied, {overridden} approved', sums)}>
			<section aria-label={say('Over time')} className="flex flex-col gap-3 border-line border-y py-3">
				<div className="flex flex-wrap gap-x-6 gap-y-1">
					<Choice
						label={say('Split by')}
						value={by !== null}
						choices={[
							{ value: false, label: say('Total') },
							{ value: true, label: say('By rule and person') },
						]}
						onChoose={(isSplit) => void setParams({ by: isSplit ? 'rule' : null })}
					/>
					{by !== null && (
						<Choice
							label={say('Drawn')}
							value={of}
							choices={measures.map((value) => ({ value, label: say(measureLooks[value].short) }))}
							onChoose={(next) => void setParams({ of: next })}
						/>
					)}
				</div>
				{by === null ? (
					<div className="grid grid-cols-3 gap-4">
						{measures.map((measure) => {
							const { title, tone, words } = measureLooks[measure];
							return (
								<DayBars
									key={measure}
									title={say(title)}
									total={words(sums, say.language)}
									tone={tone}
									bars={barsOf(sums.days, measure)}
								/>
							);
						})}
					</div>
				) : (
					<>
						<SeriesTable sums={sums} by="rule" measure={of} />
						{people && <SeriesTable sums={people} by="person" measure={of} />}
					</>
				)}
				<Fold title={say('Day by day, as a table')}>
					<DayTable sums={sums} by={by === null ? null : 'rule'} measure={of} />
					{by !== null && people && <DayTable sums={people} by="person" measure={of} />}
				</Fold>
			</section>
		</NarrowFold>
	);
}

interface DayBarsProps {
	title: string;
	total: string;
	tone: 'err' | 'wait' | 'run';
	bars: readonly DayBar[];
}

function DayBars({ title, total, tone, bars }: DayBarsProps) {
	const days = spreadDays(bars);
	const say = useSay();
	const dayOf = (bar = days.at(-1)) => bar && dayWords(`${bar.day}T12:00`, Date.now(), say.language);
	const most = Math.max(1, ...bars.map(({ value }) => value));
	const isEmpty = bars.every(({ value }) => value === 0);
	return (
		<figure className={cn('flex flex-col justify-end', isEmpty && 'max-sm:hidden')}>
			<figcaption className="flex justify-between gap-x-2 max-sm:flex-col">
				<span className="text-muted">{title}</span>
				<span className="tabular-nums">{total}</span>
			</figcaption>
			<BarStrip label={stripWords(title, total, bars, say)} days={days} most={most} tone={tone} className="mt-1 h-10" />
			<p aria-hidden className="flex justify-between text-muted text-small tabular-nums">
				<span>{dayOf(days[0])}</span>
				<span>{dayOf()}</span>
			</p>
		</figure>
	);
}

/** The charts' days as a table, newest first: for screen readers and for copying. */
function DayTable({ sums, by, measure }: { sums: LedgerSummary; by: LedgerSeriesBy | null; measure: Measure }) {
	const say = useSay();
	const cellsOf = (days: LedgerSummary['days'], of: Measure) =>
		new Map(days.map((figures) => [figures.day, measureLooks[of].words(figures, say.language)]));
	const columns =
		by === null
			? measures.map((of) => ({ name: say(measureLooks[of].short), cells: cellsOf(sums.days, of) }))
			: sums.series.map(({ name, days }) => ({ name, cells: cellsOf(days, measure) }));
	if (columns.length === 0) return null;
	return (
		<div className="mt-1 max-h-72 overflow-y-auto">
			<Table
				isWide
				className="w-auto"
				caption={
					by === null
						? say('All decisions')
						: say('{title}, by {by}', { title: say(measureLooks[measure].title), by: say(by) })
				}
				rows={sums.days.toReversed()}
				keyOf={({ day }) => day}
				columns={[
					{ key: 'day', head: say('Day'), isRowHead: true, cellClassName: 'tabular-nums', cell: ({ day }) => day },
					...columns.map(({ name, cells }) => ({
						key: `of ${name}`,
						head: <AgentText>{name}</AgentText>,
						isNumber: true,
						className: 'max-w-48 truncate',
						cell: ({ day }: { day: string }) => cells.get(day) ?? '–',
					})),
				]}
			/>
		</div>
	);
}

function SeriesTable({ sums, by, measure }: { sums: LedgerSummary; by: LedgerSeriesBy; measure: Measure }) {
	const say = useSay();
	const [, setParams] = useLedgerParams();
	const figures = by === 'rule' ? sums.rules : sums.people;
	const { tone, title, words } = measureLooks[measure];
	const rows = figures.map((sum) => {
		const days = sums.series.find(({ name }) => name === sum.name)?.days;
		return { ...sum, bars: days && barsOf(days, measure) };
	});
	const most = Math.max(1, ...rows.flatMap(({ bars = [] }) => bars.map(({ value }) => value)));
	if (rows.length === 0) {
		return (
			<p className="text-muted">
				{by === 'rule' ? say('No rule spoke in these.') : say('No person decided any of these.')}
			</p>
		);
	}
	return (
		<Table
			rows={rows}
			keyOf={({ name }) => name}
			columns={[
				{
					key: 'name',
					head: by === 'rule' ? say('Rule') : say('Person'),
					className: 'w-2/5 pl-0 sm:w-1/4',
					cellClassName: 'max-w-0',
					cell: ({ name }) => (
						<button
							type="button"
							onClick={() => void setParams({ [by]: name })}
							title={visibleString(name)}
							className="block min-h-6 max-w-full truncate text-accent hover:underline"
						>
							<AgentText>{name}</AgentText>
						</button>
					),
				},
				{
					key: 'days',
					head: say(title),
					cell: ({ name, bars, ...sum }) =>
						bars && (
							<BarStrip
								label={stripWords(visibleString(name), words(sum, say.language), bars, say)}
								days={spreadDays(bars, sums.days)}
								most={most}
								tone={tone}
								className="h-6"
							/>
						),
				},
				...measures.map(
					(each): Column<(typeof rows)[number]> => ({
						key: each,
						head: say(measureLooks[each].short),
						isNumber: true,
						className: cn('w-20', each === measure ? 'text-text' : 'text-muted max-sm:hidden'),
						cell: (sum) => measureLooks[each].words(sum, say.language),
					}),
				),
			]}
		/>
	);
}
