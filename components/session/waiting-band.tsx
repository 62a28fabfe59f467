'use client';
import { isReviewing } from '#lib/session/call.ts';
import { rowKeyOfApproval } from '../approvals/ask.ts';
import { headlineOf } from '../approvals/headline.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import { useWaiting } from '../approvals/use-waiting.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { useSessionParams } from './search-params.ts';

/** What this session asks of a person, above everything else. */
export function WaitingBand({ sessionId }: { sessionId: string }) {
	const [, setParams] = useSessionParams();
	const mine = useWaiting(true).filter(({ session }) => session.sessionId === sessionId);
	if (mine.length === 0) return null;

	/** A and D work at once on the card, which is there already while no row is selected. */
	async function review(key: string, approvalId: string) {
		const findCard = () => document.querySelector<HTMLElement>(`[data-card="${CSS.escape(approvalId)}"]`);
		if (!findCard()) await setParams({ row: key });
		findCard()?.focus();
	}

	return (
		<ul aria-label="Needs you" className="shrink-0">
			{mine.map(({ approval }) => {
				const key = rowKeyOfApproval(approval);
				return (
					<li key={approval.approvalId} className="flex min-h-9 items-center gap-3 border-line border-b bg-raised px-4">
						<span aria-hidden className={isReviewing(approval) ? 'text-run' : 'text-wait'}>
							◆
						</span>
						<AgentText className="min-w-0 truncate font-medium">{headlineOf(approval)}</AgentText>
						<TimeLeft approval={approval} />
						<Button
							kind="primary"
							size="small"
							className="ml-auto"
							onClick={() => void review(key, approval.approvalId)}
						>
							{isReviewing(approval) ? 'Decide' : 'Review'}
						</Button>
					</li>
				);
			})}
		</ul>
	);
}
