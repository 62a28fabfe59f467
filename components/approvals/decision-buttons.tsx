'use client';
import { Button } from '../ui/button.tsx';
import { useDecision } from './use-decision.ts';
import { useMayDecide } from './use-may-decide.ts';

/** Approve and Deny without a reason, for a line of the list. */
export function DecisionButtons({ approvalId, size }: { approvalId: string; size: 'small' | 'normal' }) {
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
			<Button kind="primary" size={size} disabled={busy} onClick={() => void send({ decision: 'approve' })}>
				Approve
			</Button>
			<Button kind="danger" size={size} disabled={busy} onClick={() => void send({ decision: 'deny' })}>
				Deny
			</Button>
		</span>
	);
}
