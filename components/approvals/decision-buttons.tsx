'use client';
import type { ApprovalView } from '#lib/session/call.ts';
import { Countdown } from '../live/live-duration.tsx';
import { NOT_CONNECTED, useConnected } from '../live/use-connected.ts';
import { useRowEvents } from '../session/use-row-events.ts';
import { Button } from '../ui/button.tsx';
import { approveBlock } from './approve-block.ts';
import { askOf, rowKeyOfApproval } from './ask.ts';
import { useDecision } from './use-decision.ts';
import { useMayDecide } from './use-may-decide.ts';
import { deadlineOf } from './waiting.ts';

const callWords = { approve: 'Approve', deny: 'Deny', approved: 'Approved', denied: 'Denied' };
const reviewWords = { approve: 'Allow', deny: 'Block', approved: 'Allowed', denied: 'Blocked' };

/** Approve and Deny without a reason, for a line of the list; an input that is too long for a card's first view must be opened there. */
export function DecisionButtons({ sessionId, approval }: { sessionId: string; approval: ApprovalView }) {
	const { approvalId } = approval;
	const found = useRowEvents(sessionId, rowKeyOfApproval(approval), approval.state);
	const unread = approveBlock(found?.events ? askOf(found.events, approvalId) : null, false);
	const { state, send, undo } = useDecision(approvalId, deadlineOf(approval));
	const isConnected = useConnected();
	const mayDecide = useMayDecide(approvalId);
	const { approve, deny, approved, denied } = approval.review ? reviewWords : callWords;
	if (state.step === 'done') return <span role="status">{state.decision === 'approve' ? approved : denied}</span>;
	if (state.step === 'held') {
		return (
			<span role="status" className="inline-flex items-center gap-2">
				{state.decision === 'approve' ? approved : denied} in <Countdown until={state.until} />
				<Button size="small" onClick={undo}>
					Undo
				</Button>
			</span>
		);
	}
	if (!mayDecide) return null;
	const busy = state.step === 'sending' || !isConnected;
	const blocked = isConnected ? unread : NOT_CONNECTED;
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
				{approve}
			</Button>
			<Button
				kind="danger"
				size="small"
				title={isConnected ? undefined : NOT_CONNECTED}
				disabled={busy}
				onClick={() => void send({ decision: 'deny' })}
			>
				{deny}
			</Button>
		</span>
	);
}
