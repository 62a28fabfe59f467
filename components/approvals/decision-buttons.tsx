'use client';
import type { ApprovalView } from '#lib/session/call.ts';
import { useRowEvents } from '../session/use-row-events.ts';
import { Button } from '../ui/button.tsx';
import { approveBlock } from './approve-block.ts';
import { askOf, rowKeyOfApproval } from './ask.ts';
import { useDecision } from './use-decision.ts';
import { useMayDecide } from './use-may-decide.ts';

/** Approve and Deny without a reason, for a line of the list; an input that is too long for a card's first view must be opened there. */
export function DecisionButtons({ sessionId, approval }: { sessionId: string; approval: ApprovalView }) {
	const { approvalId } = approval;
	const found = useRowEvents(sessionId, rowKeyOfApproval(approval), approval.state);
	const blocked = approveBlock(found?.events ? askOf(found.events, approvalId) : null, false);
	const { state, send } = useDecision(approvalId);
	const mayDecide = useMayDecide();
	if (state.step === 'done') return <span role="status">{state.decision === 'approve' ? 'Approved' : 'Denied'}</span>;
	if (!mayDecide) return null;
	const busy = state.step === 'sending';
	return (
		<span className="inline-flex items-center gap-2">
			{state.step === 'refused' && (
				<span role="alert" className="text-warn">
					{state.message}
				</span>
			)}
			<Button
				kind="primary"
				size="small"
				title={blocked ?? undefined}
				disabled={busy || blocked !== null}
				onClick={() => void send({ decision: 'approve' })}
			>
				Approve
			</Button>
			<Button kind="danger" size="small" disabled={busy} onClick={() => void send({ decision: 'deny' })}>
				Deny
			</Button>
		</span>
	);
}
