import Link from 'next/link';
import { differenceName, valueWords } from '#lib/compare/difference-words.ts';
import { type TrendRun, type TrendSeries, trendRuns, trendSeries, trendWorkflows } from '#lib/compare/trend.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { compareAddress } from '../row/compare-address.ts';
import { Select } from '../ui/select.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TrendLine } from './trend-line.tsx';

interface TrendViewProps {
	features: readonly FeatureRecord[];
	/** The one that was chosen; without one, or without archives of it, that with the most archives is shown. */
	workflow: string | null;
	onChoose: (workflow: string) => void;
}

/** All archives of one workflow over time, figure by figure, and the same as a table. */
export function TrendView({ features, workflow, onChoose }: TrendViewProps) {
	const say = useSay();
	const workflows = trendWorkflows(features);
	const shown = workflows.find((each) => each.workflow === workflow)?.workflow ?? workflows[0]?.workflow;
	const runs = shown === undefined ? [] : trendRuns(features, shown);
	const series = trendSeries(runs);
	return (
		<section aria-label={say('Over time')} className="border-line border-t pt-3">
			<div className="flex flex-wrap items-center gap-x-3">
				<h2 className="font-semibold text-muted text-small uppercase tracking-wide">{say('Over time')}</h2>
				{shown !== undefined && (
					<Select
						label={say('Workflow')}
						value={shown}
						onChoose={onChoose}
						choices={workflows.map((each) => ({ value: each.workflow, label: `${each.workflow} (${each.count})` }))}
					/>
				)}
			</div>
			{runs.length < 2 ? (
				<p role="status" className="text-muted">
					{say(
						'With two or more archives of one workflow, time, retries, denials, cost and pass@1 are drawn here over time.',
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
								points={runs.map(({ id, at, name }, place) => ({ id, at, name, value: each.values[place] ?? null }))}
							/>
						))}
					</div>
					<TrendTable runs={runs} series={series} />
				</>
			)}
		</section>
	);
}

function TrendTable({ runs, series }: { runs: readonly TrendRun[]; series: readonly TrendSeries[] }) {
	const say = useSay();
	return (
		<details className="pt-2">
			<summary className="text-muted">{say('As a table')}</summary>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the table scrolls and must be reachable by keyboard. */}
			<div tabIndex={0} className="scroll-hint overflow-x-auto">
				<table className="w-full whitespace-nowrap text-left">
					<thead>
						<tr className="text-muted text-small">
							<th scope="col" className="px-2 font-normal">
								{say('Archived on')}
							</th>
							<th scope="col" className="px-2 font-normal">
								{say('Feature')}
							</th>
							{series.map(({ name }) => (
								<th key={name} scope="col" className="px-2 text-right font-normal">
									{differenceName({ group: 'run', name }, say)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{runs.map((run, place) => {
							const before = runs[place - 1];
							return (
								<tr key={run.id} className="h-7 border-line border-t">
									<td className="px-2 text-muted">{run.at.slice(0, 10)}</td>
									<td className="max-w-48 truncate px-2">
										{before ? (
											<Link href={compareAddress(before.id, run.id)} prefetch={false} className="text-accent underline">
												<AgentText>{run.name}</AgentText>
											</Link>
										) : (
											<AgentText>{run.name}</AgentText>
										)}
									</td>
									{series.map(({ name, unit, values }) => (
										<td key={name} className="px-2 text-right">
											{valueWords(values[place] ?? null, unit, say.language)}
										</td>
									))}
								</tr>
							);
						})}
					</tbody>
				</table>
			</div>
			<p className="text-muted text-small">{say('A name compares its archive with the one above it.')}</p>
		</details>
	);
}
