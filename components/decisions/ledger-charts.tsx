import type { LedgerSummary } from '#lib/contract/decisions.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { AgentText } from '../text/agent-text.tsx';
import { DayBars } from './day-bars.tsx';
import type { LedgerParams } from './ledger-params.ts';

interface LedgerChartsProps {
	sums: LedgerSummary;
	onChange: (change: Partial<LedgerParams>) => void;
}

/** Denials, overrides and the time to decide: day by day, by rule and by person. */
export function LedgerCharts({ sums, onChange }: LedgerChartsProps) {
	const { days } = sums;
	return (
		<section aria-label="Over time" className="flex flex-col gap-3 border-line border-y py-3">
			<div className="grid gap-4 sm:grid-cols-3">
				<DayBars
					title="Denied, did not run"
					total={String(sums.denied)}
					tone="err"
					bars={days.map(({ day, denied }) => ({ day, value: denied, words: String(denied) }))}
				/>
				<DayBars
					title="Overridden"
					total={String(sums.overridden)}
					tone="wait"
					bars={days.map(({ day, overridden }) => ({ day, value: overridden, words: String(overridden) }))}
				/>
				<DayBars
					title="Time to decide (middle)"
					total={took(sums.decideMs)}
					tone="run"
					bars={days.map(({ day, decideMs }) => ({ day, value: decideMs ?? 0, words: took(decideMs) }))}
				/>
			</div>
			<details>
				<summary className="cursor-pointer text-muted">By rule and by person</summary>
				<div className="grid gap-6 pt-2 md:grid-cols-2">
					<Figures title="Rule" rows={sums.rules} onChoose={(rule) => onChange({ rule })} />
					<Figures title="Person" rows={sums.people} onChoose={(person) => onChange({ person })} />
				</div>
			</details>
		</section>
	);
}

const took = (ms: number | null) => (ms === null ? '–' : roundDuration(ms));

interface FiguresProps {
	title: string;
	rows: LedgerSummary['rules'];
	onChoose: (name: string) => void;
}

function Figures({ title, rows, onChoose }: FiguresProps) {
	if (rows.length === 0) return null;
	return (
		<table className="w-full border-collapse self-start text-left">
			<thead>
				<tr className="text-muted text-small">
					<th scope="col" className="py-1 font-normal">
						{title}
					</th>
					{['Denied', 'Overridden', 'To decide'].map((label) => (
						<th key={label} scope="col" className="w-20 py-1 text-right font-normal">
							{label}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map(({ name, denied, overridden, decideMs }) => (
					<tr key={name} className="border-line border-t">
						<td className="max-w-0 py-0.5">
							<button
								type="button"
								onClick={() => onChoose(name)}
								className="block min-h-6 max-w-full truncate text-accent hover:underline"
							>
								<AgentText>{name}</AgentText>
							</button>
						</td>
						<td className="text-right tabular-nums">{denied}</td>
						<td className="text-right tabular-nums">{overridden}</td>
						<td className="text-right tabular-nums">{took(decideMs)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
