import type { LedgerSeriesBy, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { BarStrip, stripWords } from './bar-strip.tsx';
import { barsOf, type Measure, measureLooks, measures } from './measures.ts';
import { spreadDays } from './spread-days.ts';

interface SeriesTableProps {
	sums: LedgerSummary;
	by: LedgerSeriesBy;
	measure: Measure;
	onChoose: (name: string) => void;
}

/** A line for each rule or person: its days on one scale with those of the others, and what they come to. */
export function SeriesTable({ sums, by, measure, onChoose }: SeriesTableProps) {
	const say = useSay();
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
		<table className="w-full border-collapse text-left">
			<thead>
				<tr className="text-muted text-small">
					<th scope="col" className="w-2/5 py-1 font-normal sm:w-1/4">
						{by === 'rule' ? say('Rule') : say('Person')}
					</th>
					<th scope="col" className="py-1 font-normal">
						{say(title)}
					</th>
					{measures.map((each) => (
						<th
							key={each}
							scope="col"
							className={`w-20 py-1 text-right font-normal ${each === measure ? 'text-text' : 'max-sm:hidden'}`}
						>
							{measureLooks[each].short}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(({ name, bars, ...sum }) => (
					<tr key={name} className="border-line border-t">
						<td className="max-w-0 py-1 pr-3">
							<button
								type="button"
								onClick={() => onChoose(name)}
								title={visibleString(name)}
								className="block min-h-6 max-w-full truncate text-accent hover:underline"
							>
								<AgentText>{name}</AgentText>
							</button>
						</td>
						<td className="py-1">
							{bars && (
								<BarStrip
									label={stripWords(visibleString(name), words(sum, say.language), bars, say)}
									days={spreadDays(bars, sums.days)}
									most={most}
									tone={tone}
									className="h-6"
								/>
							)}
						</td>
						{measures.map((each) => (
							<td
								key={each}
								className={`text-right tabular-nums ${each === measure ? '' : 'text-muted max-sm:hidden'}`}
							>
								{measureLooks[each].words(sum, say.language)}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
