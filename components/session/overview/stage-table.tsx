import type { SessionView, StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { stageTimes } from '#lib/overview/overview.ts';
import { clockDuration } from '#lib/time/duration.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { OverviewSection } from './overview-section.tsx';

const CELL = 'py-0.5 pl-3 text-right whitespace-nowrap';

/** How long each stage took, run by run, and what it cost. */
export function StageTable({ view, now }: { view: SessionView; now: number }) {
	const say = useSay();
	const stages = stageTimes(view, now);
	if (stages.length === 0) return null;
	const longest = Math.max(1, ...stages.map(({ ms }) => ms));
	const hasUsage = stages.some(({ usage }) => usage);
	return (
		<OverviewSection title={say('Time per stage')}>
			<table className="w-full">
				<thead>
					<tr className="text-muted text-small">
						<th className="text-left font-normal">{say('Stage')}</th>
						<th className="text-left font-normal">{say('Runs')}</th>
						<th className={`${CELL} font-normal`}>{say('Time')}</th>
						{hasUsage && <th className={`${CELL} font-normal`}>{say('Cost')}</th>}
					</tr>
				</thead>
				<tbody>
					{stages.map(({ stage, runs, ms, usage }) => (
						<tr key={stage}>
							<td className="w-24 max-w-32 truncate pr-3">
								<AgentText>{stage}</AgentText>
							</td>
							<td className="py-1">
								<span
									aria-hidden
									className="mb-0.5 block h-1 rounded-sm bg-accent"
									style={{ width: `${Math.max(1, (ms / longest) * 100)}%` }}
								/>
								<AgentText className="block text-muted text-small">
									{runs.map((run) => runWords(run, now, say)).join(', ')}
								</AgentText>
							</td>
							<td className={CELL}>{clockDuration(ms, say.language)}</td>
							{hasUsage && <td className={CELL}>{usage ? (costOfAll(usage) ?? say.told(usageTokens(usage))) : '–'}</td>}
						</tr>
					))}
				</tbody>
			</table>
		</OverviewSection>
	);
}

/** `2:11 pass`; one that goes on says so. */
function runWords({ from, to, result }: StageRun, now: number, say: Say): string {
	const time = clockDuration((to ?? now) - from, say.language);
	return `${time} ${to === null ? say('running') : say.known(result?.toLowerCase() ?? 'ended')}`;
}
