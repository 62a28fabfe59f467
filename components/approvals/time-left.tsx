'use client';

import { isReviewing } from '#lib/session/call.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown } from '../live/live-duration.tsx';
import { useConnected } from '../live/use-connected.ts';
import { deadlineOf } from './waiting.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';

/** `1:21 left`, of a running review `1:21 at most`; without a connection nobody knows. */
export function TimeLeft({ approval }: { approval: ApprovalView }) {
	const say = useSay();
	const isConnected = useConnected();
	if (!isConnected) return <span className="whitespace-nowrap text-warn">{say('not connected')}</span>;
	return (
		<span className="whitespace-nowrap text-wait">
			<Phrase
				of={isReviewing(approval) ? '{time} at most' : '{time} left'}
				with={{ time: <Countdown until={deadlineOf(approval)} /> }}
			/>
		</span>
	);
}
