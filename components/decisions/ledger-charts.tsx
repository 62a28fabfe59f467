import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { useSay } from '../language/use-say.ts';
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
	const say = useSay();
	const [{ by, of }, setParams] = useChartParams();
	return (
		<section aria-label={say('Over time')} className="flex flex-col gap-3 border-line border-y py-3">
			<div className="flex flex-wrap gap-x-6 gap-y-1">
				<Choice
					label={say('Split by')}
					value={by}
					choices={apart.map(({ value, label }) => ({ value, label: say(label) }))}
					onChoose={(next) => void setParams({ by: next })}
				/>
				{by !== null && (
					<Choice
						label={say('Drawn')}
						value={of}
						choices={kinds.map(({ value, label }) => ({ value, label: say(label) }))}
						onChoose={(next) => void setParams({ of: next })}
					/>
				)}
			</div>
			{by === null ? (
				<div className="grid gap-4 sm:grid-cols-3">
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
				<SeriesTable sums={sums} by={by} measure={of} onChoose={(name) => onChange({ [by]: name })} />
			)}
			<DayTable sums={sums} by={by} measure={of} />
		</section>
	);
}
