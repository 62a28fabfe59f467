import type { LedgerSeriesBy, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { type Measure, measureLooks, measures } from './measures.ts';

interface DayTableProps {
	sums: LedgerSummary;
	by: LedgerSeriesBy | null;
	measure: Measure;
}

/** The same days as numbers, the newest first: for whoever reads better than sees, or wants to copy. */
export function DayTable({ sums, by, measure }: DayTableProps) {
	const say = useSay();
	const columns =
		by === null
			? measures.map((each) => {
					const { short, words } = measureLooks[each];
					return {
						name: say(short),
						cells: new Map(sums.days.map((figures) => [figures.day, words(figures, say.language)])),
					};
				})
			: sums.series.map(({ name, days }) => {
					const { words } = measureLooks[measure];
					return { name, cells: new Map(days.map((figures) => [figures.day, words(figures, say.language)])) };
				});
	if (columns.length === 0) return null;
	return (
		<details>
			<summary className="flex min-h-6 w-fit cursor-pointer items-center text-muted hover:text-text">
				{say('Day by day, as a table')}
			</summary>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard. */}
			<div tabIndex={0} className="scroll-hint mt-1 max-h-72 overflow-auto">
				<table className="border-collapse text-left">
					<caption className="sr-only">
						{by === null
							? say('All decisions')
							: say('{title}, by {by}', { title: say(measureLooks[measure].title), by: say(by) })}
					</caption>
					<thead>
						<tr className="text-muted text-small">
							<th scope="col" className="pr-4 font-normal">
								{say('Day')}
							</th>
							{columns.map(({ name }) => (
								<th key={name} scope="col" className="max-w-48 truncate pr-4 text-right font-normal">
									<AgentText>{name}</AgentText>
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{sums.days.toReversed().map(({ day }) => (
							<tr key={day} className="border-line border-t">
								<th scope="row" className="whitespace-nowrap pr-4 font-normal tabular-nums">
									{day}
								</th>
								{columns.map(({ name, cells }) => (
									<td key={name} className="pr-4 text-right tabular-nums">
										{cells.get(day) ?? '–'}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	);
}
