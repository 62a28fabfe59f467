'use client';
import { headlineOf } from '../approvals/headline.ts';
import { useWaiting } from '../approvals/use-waiting.ts';
import { deadlineOf } from '../approvals/waiting.ts';
import { Countdown } from '../live/live-duration.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { useSessionParams } from './search-params.ts';

/** What this session asks of a person, above everything else. */
export function WaitingBand({ sessionId }: { sessionId: string }) {
	const [{ row }, setParams] = useSessionParams();
	const mine = useWaiting().filter(({ session }) => session.sessionId === sessionId);
	if (mine.length === 0) return null;
	return (
		<ul aria-label="Needs you" className="shrink-0">
			{mine.map(({ approval }) => {
				const key = approval.toolUseId ? `call:${approval.toolUseId}` : `approval:${approval.approvalId}`;
				return (
					<li key={approval.approvalId} className="flex min-h-9 items-center gap-3 border-line border-b bg-raised px-4">
						<span aria-hidden className="text-wait">
							◆
						</span>
						<AgentText className="min-w-0 truncate font-medium">{headlineOf(approval)}</AgentText>
						<span className="whitespace-nowrap text-wait">
							<Countdown until={deadlineOf(approval)} /> left
						</span>
						<Button
							kind="primary"
							size="small"
							className="ml-auto"
							disabled={row === key}
							onClick={() => void setParams({ row: key })}
						>
							Review
						</Button>
					</li>
				);
			})}
		</ul>
	);
}
