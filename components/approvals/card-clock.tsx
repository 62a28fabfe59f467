'use client';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown, LiveDuration } from '../live/live-duration.tsx';
import { useNow } from '../live/now.ts';
import { useConnected } from '../live/use-connected.ts';
import { deadlineOf } from './waiting.ts';

/** The real deadline, and whether anybody still waits for the answer. */
export function CardClock({ approval, isLost }: { approval: ApprovalView; isLost: boolean }) {
	const say = useSay();
	const now = useNow();
	const isConnected = useConnected();
	const deadline = deadlineOf(approval);
	if (approval.review && !approval.review.isOver) return <ReviewClock approval={approval} isOver={deadline <= now} />;
	if (approval.state === 'abandoned' && !approval.isPrompt) {
		return (
			<span className="text-warn">
				{say('{why}: you can allow its next try', { why: approval.reason ?? say('the agent is gone') })}
			</span>
		);
	}
	if (approval.state !== 'waiting') return null;
	if (deadline <= now) {
		const left = approval.isPrompt ? say('the terminal still asks') : say('the denial stands');
		return <span className="text-warn">{say('time is up: {left}', { left })}</span>;
	}
	// A server that is gone ends every wait: what was last heard of it is no longer true.
	if (!isConnected)
		return <span className="text-warn">{say('not connected: nobody knows whether it still waits')}</span>;
	return (
		<span className="text-wait">
			<Phrase of="waiting, {time} left" with={{ time: <Countdown until={deadline} /> }} /> ·{' '}
			{isLost ? say('agent gone') : say('client alive')}
		</span>
	);
}

/** How long the reviewer thinks, and how long it may at most. */
function ReviewClock({ approval, isOver }: { approval: ApprovalView; isOver: boolean }) {
	const { review, state, requestedAt } = approval;
	if (!review || state !== 'waiting') return null;
	return (
		<span className={isOver ? 'text-warn' : 'text-run'}>
			<Phrase
				of="reviewing {time}, at most {left} · {iteration} of {max}"
				with={{
					time: <LiveDuration from={requestedAt} />,
					left: <Countdown until={deadlineOf(approval)} />,
					iteration: review.iteration,
					max: review.max,
				}}
			/>
		</span>
	);
}
