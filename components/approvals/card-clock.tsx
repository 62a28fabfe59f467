'use client';
import type { ApprovalView } from '#lib/session/call.ts';
import { Countdown } from '../live/live-duration.tsx';
import { useNow } from '../live/now.ts';
import { deadlineOf } from './waiting.ts';

/** The real deadline, and whether anybody still waits for the answer. */
export function CardClock({ approval, isLost }: { approval: ApprovalView; isLost: boolean }) {
	const now = useNow();
	const deadline = deadlineOf(approval);
	if (approval.state === 'abandoned')
		return <span className="text-warn">agent gone: an override will allow its next try</span>;
	if (approval.state !== 'waiting') return null;
	if (deadline <= now) return <span className="text-warn">time is up: the denial stands</span>;
	return (
		<span className="text-wait">
			waiting, <Countdown until={deadline} /> left · {isLost ? 'agent gone' : 'client alive'}
		</span>
	);
}
