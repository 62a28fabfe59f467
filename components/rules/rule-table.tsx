import { LedgerCount } from '../decisions/ledger-count.tsx';
import { AgentText } from '../text/agent-text.tsx';

interface RuleLine {
	rule: string;
	/** What it denies, in words; empty where that is not known. */
	denies: string;
	denied: number;
	overridden: number;
}

/** Rules with how often a call did not run by each, and how often a person let it run all the same. */
export function RuleTable({ rules }: { rules: readonly RuleLine[] }) {
	return (
		<table className="mt-1 w-full border-collapse text-left">
			<thead>
				<tr className="text-muted text-small">
					<th scope="col" className="py-1 font-normal">
						Denies
					</th>
					<th scope="col" className="w-16 py-1 text-right font-normal">
						Denied
					</th>
					<th scope="col" className="w-20 py-1 text-right font-normal">
						Overridden
					</th>
				</tr>
			</thead>
			<tbody>
				{rules.map(({ rule, denies, denied, overridden }) => (
					<tr key={rule} className="border-line border-t align-baseline">
						<td className="py-1 pr-3">
							{denies} <AgentText className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{rule}</AgentText>
						</td>
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
