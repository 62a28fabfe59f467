'use client';
import { type ApprovalView, isReviewing } from '#lib/session/call.ts';
import { Countdown } from '../live/live-duration.tsx';
import { useConnected } from '../live/use-connected.ts';
import { deadlineOf } from './waiting.ts';

/** `1:21 left`, of a running review `1:21 at most`; without a connection nobody knows. */
export function TimeLeft({ approval }: { approval: ApprovalView }) {
	const isConnected = useConnected();
	if (!isConnected) return <span className="whitespace-nowrap text-warn">not connected</span>;
	return (
		<span className="whitespace-nowrap text-wait">
			<Countdown until={deadlineOf(approval)} /> {isReviewing(approval) ? 'at most' : 'left'}
		</span>
	);
}
