import type { LedgerSummary } from '#lib/contract/decisions.ts';
import { Choice } from '../ui/choice.tsx';
import { useChartParams } from './chart-params.ts';
import { DayBars } from './day-bars.tsx';
import { DayTable } from './day-table.tsx';
import type { LedgerParams } from './ledger-params.ts';
import { barsOf, measureLooks, measures } from './measures.ts';
import { SeriesTable } from './series-table.tsx';

interface LedgerChartsProps {
	sums: LedgerSummary;
	onChange: (change: Partial<LedgerParams>) => void;
}

const apart = [
	{ value: null, label: 'All' },
	{ value: 'rule', label: 'By rule' },
	{ value: 'person', label: 'By person' },
] as const;

const kinds = measures.map((value) => ({ value, label: measureLooks[value].short }));

/** Denials, overrides and the time to decide, day by day: of all decisions, or of each rule or person. */
export function LedgerCharts({ sums, onChange }: LedgerChartsProps) {
	const [{ by, of }, setParams] = useChartParams();
	return (
		<section aria-label="Over time" className="flex flex-col gap-3 border-line border-y py-3">
			<div className="flex flex-wrap gap-x-6 gap-y-1">
				<Choice label="Told apart" value={by} choices={apart} onChoose={(next) => void setParams({ by: next })} />
				{by !== null && (
					<Choice label="Drawn" value={of} choices={kinds} onChoose={(next) => void setParams({ of: next })} />
				)}
			</div>
			{by === null ? (
				<div className="grid gap-4 sm:grid-cols-3">
					{measures.map((measure) => {
						const { title, tone, words } = measureLooks[measure];
						return (
							<DayBars key={measure} title={title} total={words(sums)} tone={tone} bars={barsOf(sums.days, measure)} />
						);
					})}
				</div>
			) : (
				<SeriesTable sums={sums} by={by} measure={of} onChoose={(name) => onChange({ [by]: name })} />
			)}
			<DayTable sums={sums} by={by} measure={of} />
		</section>
	);
}
