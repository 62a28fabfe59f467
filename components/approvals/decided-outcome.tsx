'use client';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { outcomeWords } from '#lib/approvals/call-words.ts';
import type { ApprovalView, CallOutcome, CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import { outcomeOf } from '#lib/session/call.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useLive } from '../live/store.ts';
import { useAtMostEvery } from '../live/use-at-most-every.ts';
import { rowAddress } from '../row/row-address.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { rowKeyOfApproval } from './ask.ts';

interface DecidedOutcomeProps {
	sessionId: string;
	approval: ApprovalView;
}

/** So long, in ms, a busy session's events are gathered before it is asked for again. */
const PAUSE = 1000;

/** What became of a call that was decided, for as long as the card stands, and the way to its row. */
export function DecidedOutcome({ sessionId, approval }: DecidedOutcomeProps) {
	const say = useSay();
	const call = useDecidedCall(sessionId, approval);
	const outcome = call && outcomeWords(call);
	const isRunning = call !== null && outcomeOf(call) === 'running';
	return (
		<p aria-live="polite" className="flex flex-wrap gap-x-3">
			{outcome && (
				<span className={toneText[outcome.tone]}>
					<span aria-hidden>{toneGlyph[outcome.tone]} </span>
					{say(outcome.word)}
				</span>
			)}
			<Link href={rowAddress(sessionId, rowKeyOfApproval(approval))} prefetch={false} className="text-accent underline">
				{isRunning ? say('Watch it run') : say('Show the call')}
			</Link>
		</p>
	);
}

const isOpenEnded: ReadonlySet<CallOutcome> = new Set(['running', 'waiting', 'stopped']);

/** Null while it is not known. */
function useDecidedCall(sessionId: string, { toolUseId, state }: ApprovalView): CallView | null {
	const [call, setCall] = useState<CallView | null>(null);
	// What was denied may run all the same, also later.
	const isEnded = call !== null && call.approval?.state === state && !isOpenEnded.has(outcomeOf(call));
	const events = useLive(({ sessions }) => (isEnded ? 0 : sessions?.[sessionId]?.counts.events));
	const version = useAtMostEvery(events, PAUSE);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that there are more events.
	useEffect(() => {
		if (isEnded || toolUseId === undefined) return;
		let current = true;
		void callRoute('GET /api/sessions/:id', { params: { id: sessionId } }).then((answer) => {
			const match = answer.ok && answer.data.session.calls.find((each) => each.toolUseId === toolUseId);
			if (current && match) setCall(match);
		});
		return () => {
			current = false;
		};
	}, [sessionId, toolUseId, isEnded, version]);
	return call;
}
