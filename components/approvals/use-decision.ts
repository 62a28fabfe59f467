import { useEffect, useMemo, useRef, useState } from 'react';
import { personWords, tooLateWords, underWayWords } from '#lib/approvals/call-words.ts';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { serverNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { useAnswer, useRoute } from '../live/use-answer.ts';
import { announceGrantChange } from './grants/use-grants.ts';
import { cardOf } from './waiting.ts';

export type DecisionState =
	| { step: 'open' }
	/** Decided, but not sent until `until` (server time in ms), so it can be undone. */
	| { step: 'delayed'; decision: DecisionBody['decision']; until: number }
	| { step: 'sending'; decision: DecisionBody['decision'] }
	| { step: 'done'; decision: DecisionBody['decision'] }
	/** `denials`: what the gates deny of a changed input, beyond those listed on the card. */
	| { step: 'refused'; message: string; denials?: readonly Denial[] };

const MESSAGES: Record<number, Plain> = {
	401: 'You are signed out. A fresh sign-in link is needed; nothing was decided.',
	403: 'This sign-in may look but not decide. Nothing was changed.',
	410: 'Too late: the agent no longer waits. The denial stands; it may ask again.',
};

/** Decisions are sent at least this long (ms) before the deadline. */
const SENT_BEFORE_MS = 2000;

/** Sends a person's decision, after their time to undo it but before `deadline` (server time in ms). */
export function useDecision(approvalId: string, deadline = Number.POSITIVE_INFINITY) {
	const say = useSay();
	const [state, setState] = useState<DecisionState>({ step: 'open' });
	const undoMs = useLive(({ me }) => (me?.undoSeconds ?? 0) * 1000);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => () => clearTimeout(timer.current), []);

	async function sendNow(body: DecisionBody): Promise<DecisionState> {
		setState({ step: 'sending', decision: body.decision });
		const answer = await callRoute('POST /api/approvals/:id', { params: { id: approvalId }, body });
		let ended: DecisionState = { step: 'done', decision: body.decision };
		if (!answer.ok) {
			const { status, code, message, denials } = answer;
			const whose = code === 'approval/decided' ? whoDecided : code === 'hub/under-way' ? whoIsFirst : null;
			const words = whose ? await whose(approvalId, say) : wordsFor(status, code);
			ended = { step: 'refused', message: words ?? message, ...(denials && { denials }) };
		}
		if (body.remember) announceGrantChange();
		setState(ended);
		return ended;
	}

	async function send(body: DecisionBody): Promise<void> {
		const ms = Math.min(undoMs, deadline - serverNow() - SENT_BEFORE_MS);
		if (ms <= 0) return void (await sendNow(body));
		setState({ step: 'delayed', decision: body.decision, until: serverNow() + ms });
		clearTimeout(timer.current);
		timer.current = setTimeout(() => void sendNow(body), ms);
	}

	function undo(): void {
		clearTimeout(timer.current);
		setState({ step: 'open' });
	}

	return { state, send, sendNow, undo };
}

async function whoDecided(approvalId: string, say: Say): Promise<string | undefined> {
	const answer = await callRoute('GET /api/approvals/:id', { params: { id: approvalId } });
	if (!answer.ok) return undefined;
	return say('Already {person}. That stands.', { person: personWords(cardOf(answer.data.approval).approval, say) });
}

async function whoIsFirst(approvalId: string, say: Say): Promise<string | undefined> {
	const answer = await fetchUnderWay();
	const found = answer.ok && answer.data.decisions.find(({ approval }) => approval === approvalId);
	return found ? say.sentence(tooLateWords(found)) : undefined;
}

/** Errors about passkeys, grants and hubs have their own messages. */
function wordsFor(status: number, code: string): Plain | undefined {
	return /^(passkey|grant|hub)\//.test(code) ? undefined : MESSAGES[status];
}

/** The final state of a question; null while it is open, or not loaded yet. */
export function useEnded(approvalId: string, isOver: boolean): ApprovalView | null {
	const { data } = useRoute('GET /api/approvals/:id', isOver ? { params: { id: approvalId } } : null);
	return useMemo(() => data && cardOf(data.approval).approval, [data]);
}

/** Poll interval (ms) for waiting calls. Requests within half of it share one answer. */
const REFRESH_MS = 2000;

const fetchUnderWay = () => callRoute('GET /api/hub/decisions');
let last: { at: number; answer: ReturnType<typeof fetchUnderWay> } | undefined;

function fetchUnderWayShared(): ReturnType<typeof fetchUnderWay> {
	const at = performance.now();
	if (!last || at - last.at > REFRESH_MS / 2) last = { at, answer: fetchUnderWay() };
	return last.answer;
}

/** For a call decided at a hub: the sentence that it is decided and the machine has not answered yet; else undefined. */
export function useUnderWay(approvalId: string, isWaiting: boolean): string | undefined {
	const say = useSay();
	const { data } = useAnswer(isWaiting ? fetchUnderWayShared : null, REFRESH_MS);
	const found = data?.decisions.find(({ approval }) => approval === approvalId);
	return found && say.sentence(underWayWords(found));
}
