'use client';
import type { ApprovalView } from '#lib/session/call.ts';
import { Countdown, LiveDuration } from '../live/live-duration.tsx';
import { useNow } from '../live/now.ts';
import { useConnected } from '../live/use-connected.ts';
import { deadlineOf } from './waiting.ts';

/** The real deadline, and whether anybody still waits for the answer. */
export function CardClock({ approval, isLost }: { approval: ApprovalView; isLost: boolean }) {
	const now = useNow();
	const isConnected = useConnected();
	const deadline = deadlineOf(approval);
	if (approval.review && !approval.review.isOver) return <ReviewClock approval={approval} isOver={deadline <= now} />;
	if (approval.state === 'abandoned' && !approval.isPrompt) {
		return <span className="text-warn">{approval.reason ?? 'the agent is gone'}: you can allow its next try</span>;
	}
	if (approval.state !== 'waiting') return null;
	if (deadline <= now) {
		const left = approval.isPrompt ? 'the terminal still asks' : 'the denial stands';
		return <span className="text-warn">time is up: {left}</span>;
	}
	// A server that is gone ends every wait: what was last heard of it is no longer true.
	if (!isConnected) return <span className="text-warn">not connected: nobody knows whether it still waits</span>;
	return (
		<span className="text-wait">
			waiting, <Countdown until={deadline} /> left · {isLost ? 'agent gone' : 'client alive'}
		</span>
	);
}

/** How long the reviewer thinks, and how long it may at most. */
function ReviewClock({ approval, isOver }: { approval: ApprovalView; isOver: boolean }) {
	const { review, state, requestedAt } = approval;
	if (!review || state !== 'waiting') return null;
	return (
		<span className={isOver ? 'text-warn' : 'text-run'}>
			reviewing <LiveDuration from={requestedAt} />, at most <Countdown until={deadlineOf(approval)} /> ·{' '}
			{review.iteration} of {review.max}
		</span>
	);
}
