import { differenceName, valueWords } from '#lib/compare/difference-words.ts';
import { type TrendRun, type TrendSeries, trendRuns, trendSeries, trendWorkflows } from '#lib/compare/trend.ts';
import type { Difference } from '#lib/contract/archives/compare.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { compareAddress } from '../row/addresses.ts';
import { Fold, Part } from '../ui/part.tsx';
import { Select } from '../ui/select.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useCompareParams } from './compare-params.ts';

/** Trend of the chosen workflow, else of `of`. If it has no archives, of the workflow with the most archives. */
export function TrendView({ features, of }: { features: readonly FeatureRecord[]; of: string | undefined }) {
	const say = useSay();
	const [{ workflow }, setParams] = useCompareParams();
	const workflows = trendWorkflows(features);
	const shown = workflows.find((each) => each.workflow === (workflow ?? of))?.workflow ?? workflows[0]?.workflow;
	const runs = shown === undefined ? [] : trendRuns(features, shown);
	const series = trendSeries(runs);
	return (
		<Part
			title={say('Over time')}
			className="border-line border-t pt-3"
			aside={
				shown !== undefined && (
					<Select
						label={say('Workflow')}
						value={shown}
						onChoose={(chosen) => void setParams({ workflow: chosen })}
						choices={workflows.map((each) => ({ value: each.workflow, label: `${each.workflow} (${each.count})` }))}
					/>
				)
			}
		>
			{runs.length < 2 ? (
				<p role="status" className="text-muted">
					{say(
						'With two or more archives of one workflow, time, retries, denials, cost and first passes are drawn here over time.',
					)}
				</p>
			) : (
				<>
					<div className="grid gap-4 pt-2 sm:grid-cols-2 lg:grid-cols-3">
						{series.map((each) => (
							<TrendLine
								key={each.name}
								title={differenceName({ group: 'run', name: each.name }, say)}
								unit={each.unit}
								points={runs.map(({ id, at, name }, index) => ({ id, at, name, value: each.values[index] ?? null }))}
							/>
						))}
					</div>
					<TrendTable runs={runs} series={series} />
				</>
			)}
		</Part>
	);
}

function TrendTable({ runs, series }: { runs: readonly TrendRun[]; series: readonly TrendSeries[] }) {
	const say = useSay();
	return (
		<Fold title={say('As a table')} className="pt-2">
			<Table
				isWide
				rows={runs}
				keyOf={({ id }) => id}
				columns={[
					{ key: 'at', head: say('Archived on'), cellClassName: 'text-muted', cell: ({ at }) => at.slice(0, 10) },
					{
						key: 'feature',
						head: say('Feature'),
						cellClassName: 'max-w-48 truncate',
						cell: (run, index) => {
							const before = runs[index - 1];
							const name = <AgentText>{run.name}</AgentText>;
							return before ? <TextLink href={compareAddress(before.id, run.id)}>{name}</TextLink> : name;
						},
					},
					...series.map(
						({ name, unit, values }): Column<TrendRun> => ({
							key: `of ${name}`,
							head: differenceName({ group: 'run', name }, say),
							isNumber: true,
							cell: (_run, index) => valueWords(values[index] ?? null, unit, say.language),
						}),
					),
				]}
			/>
			<p className="text-muted text-small">{say('A name compares its archive with the one above it.')}</p>
		</Fold>
	);
}

interface TrendLineProps {
	title: string;
	unit: Difference['unit'];
	/** Oldest first; null if the archive does not contain the value. */
	points: readonly { id: string; name: string; at: string; value: number | null }[];
}

const SIZE = { width: 240, height: 56, edge: 6 } as const;

/** One figure over time on its own scale from zero: one point per archive, with its date and value. */
function TrendLine({ title, unit, points }: TrendLineProps) {
	const say = useSay();
	const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
	const most = Math.max(unit === 'share' ? 1 : 0, ...known);
	const x = (index: number) => SIZE.edge + (index * (SIZE.width - 2 * SIZE.edge)) / Math.max(1, points.length - 1);
	const y = (value: number) =>
		SIZE.height - SIZE.edge - (most === 0 ? 0 : (value / most) * (SIZE.height - 2 * SIZE.edge));
	const drawn = points.flatMap(({ value, ...point }, index) =>
		value === null ? [] : [{ ...point, value, x: x(index), y: y(value) }],
	);
	const words = (value: number | null | undefined) => valueWords(value ?? null, unit, say.language);
	const [first, last] = [known[0], known.at(-1)];
	return (
		<figure className="min-w-0">
			<figcaption className="flex justify-between gap-2">
				<span className="text-muted">{title}</span>
				<span>
					{words(first)} → {words(last)}
				</span>
			</figcaption>
			<svg
				role="img"
				aria-label={say('{figure}: first {first}, last {last}, most {most}', {
					...{ figure: title, first: words(first), last: words(last) },
					most: words(known.length === 0 ? null : Math.max(...known)),
				})}
				viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
				className="mt-1 w-full border-line border-b"
			>
				<polyline
					points={drawn.map((point) => `${point.x},${point.y}`).join(' ')}
					className="fill-none stroke-run"
					strokeWidth={1.5}
				/>
				{drawn.map((point) => (
					<circle key={point.id} cx={point.x} cy={point.y} r={3} className="fill-run">
						<title>{visibleString(`${point.at.slice(0, 10)} ${point.name}: ${words(point.value)}`)}</title>
					</circle>
				))}
			</svg>
			<p aria-hidden className="flex justify-between text-muted text-small">
				<span>{points[0]?.at.slice(0, 10)}</span>
				<span>{points.at(-1)?.at.slice(0, 10)}</span>
			</p>
		</figure>
	);
}
