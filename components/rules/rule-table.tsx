import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { BarStrip, stripWords } from '../decisions/bar-strip.tsx';
import { LedgerCount } from '../decisions/ledger-count.tsx';
import { barsOf, spreadDays } from '../decisions/measures.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** One rule with its counts over all recorded sessions. */
export interface RuleLine {
	rule: string;
	/** What it denies, in words; empty where that is not known. */
	denies: string;
	denied: number;
	overridden: number;
}

interface RuleTableProps {
	rules: readonly RuleLine[];
	/** The days of the last weeks by rule; null while they are not known. */
	lately: LedgerSummary | null;
}

/** Rules with how often a call did not run by each, lately day by day, and how often a person let it run all the same. */
export function RuleTable({ rules, lately }: RuleTableProps) {
	const say = useSay();
	return (
		<table className="mt-1 w-full border-collapse text-left">
			<thead>
				<tr className="text-muted text-small">
					<th scope="col" className="py-1 font-normal">
						{say('Denies')}
					</th>
					<th scope="col" className="w-28 py-1 font-normal max-sm:hidden">
						{say('Last 30 days')}
					</th>
					<th scope="col" className="w-16 py-1 text-right font-normal">
						{say('Denied')}
					</th>
					<th scope="col" className="w-20 py-1 text-right font-normal">
						{say('Overridden')}
					</th>
				</tr>
			</thead>
			<tbody>
				{rules.map(({ rule, denies, denied, overridden }) => (
					<tr key={rule} className="border-line border-t align-baseline">
						<td className="py-1 pr-3">
							{say.known(denies)}{' '}
							<AgentText className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{rule}</AgentText>
						</td>
						<td className="py-1 pl-2 max-sm:hidden">{lately && <Lately rule={rule} lately={lately} />}</td>
						<td className="py-1 text-right tabular-nums">
							<LedgerCount count={denied} kind="denied" rule={rule} />
						</td>
						<td className="py-1 text-right tabular-nums">
							<LedgerCount count={overridden} kind="overridden" rule={rule} />
							{overridden > 0 && (
								<span className="text-muted"> ({Math.round((overridden / (denied + overridden)) * 100)} %)</span>
							)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** What a rule denied day by day; nothing where it did not speak. */
function Lately({ rule, lately }: { rule: string; lately: LedgerSummary }) {
	const say = useSay();
	const days = lately.series.find(({ name }) => name === rule)?.days ?? [];
	const bars = barsOf(days, 'denied');
	const total = days.reduce((sum, { denied }) => sum + denied, 0);
	if (total === 0) return null;
	const most = Math.max(1, ...bars.map(({ value }) => value));
	const label = stripWords(say('Denied in the last 30 days'), String(total), bars, say);
	return <BarStrip label={label} days={spreadDays(bars, lately.days)} most={most} tone="err" className="h-4" />;
}
