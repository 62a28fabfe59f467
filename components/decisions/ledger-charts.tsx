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
import { Fold, NarrowFold, Part } from '../ui/part.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { BarStrip } from './ledger-figures.tsx';
import { useChartParams, useLedgerParams } from './ledger-params.ts';

/** Charts with one bar a day: in total, or by rule and by person. `people`: the days of each person, null until loaded. */
export function LedgerCharts({ sums, people }: { sums: LedgerSummary; people: LedgerSummary | null }) {
	const say = useSay();
	const [{ by, of: measure }, setParams] = useChartParams();
	const isSplit = by !== null;
	return (
		<NarrowFold title={say('{denied} denied, {overridden} overridden', sums)}>
			<Part
				title={say('Over time')}
				className="border-line border-y py-3"
				aside={
					<>
						{isSplit && (
							<Choice
								label={say('Drawn')}
								value={measure}
								choices={measures.map((value) => ({ value, label: say(measureLooks[value].short) }))}
								onChoose={(next) => void setParams({ of: next })}
							/>
						)}
						<Choice
							label={say('Split by')}
							value={isSplit}
							choices={[
								{ value: false, label: say('Total') },
								{ value: true, label: say('By rule and person') },
							]}
							onChoose={(next) => void setParams({ by: next ? 'rule' : null })}
						/>
					</>
				}
			>
				{isSplit ? (
					<>
						<SeriesTable sums={sums} by="rule" measure={measure} />
						{people && <SeriesTable sums={people} by="person" measure={measure} />}
					</>
				) : (
					<div className="grid items-end gap-x-8 gap-y-3 sm:grid-cols-3">
						{measures.map((each) => (
							<DayBars key={each} sums={sums} measure={each} />
						))}
					</div>
				)}
				<Fold title={say('Day by day, as a table')}>
					<DayTable sums={sums} by={isSplit ? 'rule' : null} measure={measure} />
					{isSplit && people && <DayTable sums={people} by="person" measure={measure} />}
				</Fold>
			</Part>
		</NarrowFold>
	);
}

/** One measure by day, with its total above and its scale at the side. */
function DayBars({ sums, measure }: { sums: LedgerSummary; measure: Measure }) {
	const say = useSay();
	const { help, tone, words, ...looks } = measureLooks[measure];
	const title = say(looks.title);
	const total = words(sums, say.language);
	const bars = barsOf(sums.days, measure);
	const days = spreadDays(bars);
	const dayName = (bar: DayBar | undefined) => bar && dayWords(`${bar.day}T12:00`, Date.now(), say.language);
	const highest = bars.reduce<DayBar | undefined>(
		(high, bar) => (bar.value > (high?.value ?? 0) ? bar : high),
		undefined,
	);
	return (
		<figure className={cn('grid grid-cols-[minmax(0,1fr)_auto] gap-x-2', !highest && 'max-sm:hidden')}>
			<figcaption className="col-span-2 flex items-baseline gap-x-2">
				<span className="font-semibold text-title tabular-nums">{total}</span>
				<span className="text-muted">
					{title}
					<span className="block text-small">{say(help)}</span>
				</span>
			</figcaption>
			<BarStrip
				label={stripWords(title, total, bars, say)}
				days={days}
				most={highest?.value ?? 1}
				tone={tone}
				className="mt-1 h-10"
			/>
			<span
				aria-hidden
				className="mt-1 flex min-w-4 flex-col justify-between text-muted text-small leading-3 tabular-nums"
			>
				<span>{highest?.words}</span>
				<span>0</span>
			</span>
			<p aria-hidden className="flex justify-between text-muted text-small tabular-nums">
				<span>{dayName(days[0])}</span>
				<span>{dayName(days.at(-1))}</span>
			</p>
		</figure>
	);
}

/** The charts' days as a table, newest first: for screen readers and for copying. */
function DayTable({ sums, by, measure }: { sums: LedgerSummary; by: LedgerSeriesBy | null; measure: Measure }) {
	const say = useSay();
	const cellsOf = (days: LedgerSummary['days'], which: Measure) =>
		new Map(days.map((figures) => [figures.day, measureLooks[which].words(figures, say.language)]));
	const columns =
		by === null
			? measures.map((each) => ({ name: say(measureLooks[each].short), cells: cellsOf(sums.days, each) }))
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
