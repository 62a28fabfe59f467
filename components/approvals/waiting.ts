import { useEffect, useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { ApprovalView, CallAlarm } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { isReviewing } from '#lib/session/call.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useClock } from '../live/now.ts';
import { useLive } from '../live/store.ts';

export interface WaitingApproval {
	approval: ApprovalView;
	session: SessionSummary;
}

/** Where its card stands first. */
export const cardAddress = (approvalId: string) => `/approvals?card=${encodeURIComponent(approvalId)}` as const;

const NO_DEADLINE = Number.POSITIVE_INFINITY;

/** The instant (ms) at which the approval lapses; infinity when it has none. */
export function deadlineOf(approval: ApprovalView): number {
	const at = approval.deadline ? Date.parse(approval.deadline) : NO_DEADLINE;
	return Number.isNaN(at) ? NO_DEADLINE : at;
}

/** All open approvals, the most urgent first; running reviews, for which nobody waits, only if asked for. */
export function waitingApprovals(sessions: Sessions | null, withReviews = false): readonly WaitingApproval[] {
	if (!sessions) return NOTHING;
	return withReviews ? withReviewsIn(sessions) : decidableIn(sessions);
}

type Sessions = Record<string, SessionSummary>;

const NOTHING: readonly WaitingApproval[] = [];

// Every change of the store asks, that of a session's events, too, which changes nothing here.
const withReviewsIn = remembered((sessions: Sessions): readonly WaitingApproval[] =>
	Object.values(sessions)
		.flatMap((session) => session.approvals.map((approval) => ({ approval, session })))
		.filter(({ approval }) => approval.state === 'waiting' && !approval.unverified)
		.sort((a, b) => deadlineOf(a.approval) - deadlineOf(b.approval)),
);
const decidableIn = remembered((sessions: Sessions) =>
	withReviewsIn(sessions).filter(({ approval }) => !isReviewing(approval)),
);

/** Open approvals whose deadline has not passed, the most urgent first, running reviews too if asked for; live. */
export function useWaiting(withReviews = false): WaitingApproval[] {
	const sessions = useLive((state) => state.sessions);
	const all = useMemo(() => waitingApprovals(sessions, withReviews), [sessions, withReviews]);
	const lapsed = useClock((now) => all.filter(({ approval }) => deadlineOf(approval) <= now).length);
	// The most urgent stand first, so those that lapsed do too.
	return useMemo(() => all.slice(lapsed), [all, lapsed]);
}

/** How many approvals `useWaiting` gives; it renders only when that number changes. */
export function useWaitingCount(): number {
	const deadlines = useLive(
		useShallow(({ sessions }) => waitingApprovals(sessions).map(({ approval }) => deadlineOf(approval))),
	);
	return useClock((now) => deadlines.filter((deadline) => deadline > now).length);
}

/** So long (ms) a question that is over keeps its place as a receipt, and nothing else moves. */
export const RECEIPT_MS = 5000;

/** A question of a list, and since when (ms of one clock) it is over. */
export type Lingering<Asked> = Asked & { overSince?: number };

/**
 * A list of questions as it is to be shown at `now` (ms): those that are over stay where they were for `keepMs`. While
 * one of them has been over for less than RECEIPT_MS, the others keep their order and new ones stand at the end;
 * otherwise the most urgent stand first, and whatever is over below what waits.
 */
export function keepDecided<Asked extends { approval: ApprovalView }>(
	shown: readonly Lingering<Asked>[],
	waiting: readonly Asked[],
	now: number,
	keepMs = RECEIPT_MS,
): readonly Lingering<Asked>[] {
	const open = new Map(waiting.map((each) => [each.approval.approvalId, each]));
	const kept = shown.flatMap((each): Lingering<Asked>[] => {
		const known = open.get(each.approval.approvalId);
		if (known) return [known];
		const { overSince = now } = each;
		return now - overSince < keepMs ? [{ ...each, overSince }] : [];
	});
	const places = new Set(kept.map(({ approval }) => approval.approvalId));
	const all: Lingering<Asked>[] = [...kept, ...waiting.filter(({ approval }) => !places.has(approval.approvalId))];
	if (nextLinger(all, now) !== null) return all;
	return all.sort(
		(one, other) =>
			Number(one.overSince !== undefined) - Number(other.overSince !== undefined) ||
			byNumber(deadlineOf(one.approval), deadlineOf(other.approval)),
	);
}

const byNumber = (one: number, other: number) => (one < other ? -1 : Number(one > other));

export function keepsPosition({ overSince }: { overSince?: number | undefined }, now: number): boolean {
	return overSince === undefined || now - overSince < RECEIPT_MS;
}

/** When (ms) after `now` a receipt is over, and the list changes by itself; null where none stands. */
export function nextLinger(shown: readonly Lingering<{ approval: ApprovalView }>[], now: number): number | null {
	const ends = shown.flatMap(({ overSince }) => (overSince === undefined ? [] : overSince + RECEIPT_MS));
	const next = ends.filter((end) => end > now);
	return next.length === 0 ? null : Math.min(...next);
}

export type Question = Lingering<WaitingApproval>;

/** What `useWaiting` gives, with what is over in its place for as long as its receipt stands. */
export const useQuestions = (withReviews = false): readonly Question[] => useKeepDecided(useWaiting(withReviews));

/** Questions as `linger` shows them. `waiting` stays the same list until something in it changes. */
export function useKeepDecided<Asked extends { approval: ApprovalView }>(
	waiting: readonly Asked[],
	keepMs?: number,
): readonly Lingering<Asked>[] {
	const [known, setKnown] = useState(() => shownAfter([], waiting, keepMs));
	let { shown } = known;
	// In the same drawing: the row of what is over must not be gone in between.
	if (known.waiting !== waiting) {
		const now = shownAfter(shown, waiting, keepMs);
		({ shown } = now);
		setKnown(now);
	}
	useEffect(() => {
		if (known.next === null) return;
		const updateShown = () => setKnown((before) => shownAfter(before.shown, before.waiting, keepMs));
		const timer = setTimeout(updateShown, known.next - performance.now());
		return () => clearTimeout(timer);
	}, [known, keepMs]);
	return shown;
}

function shownAfter<Asked extends { approval: ApprovalView }>(
	before: readonly Lingering<Asked>[],
	waiting: readonly Asked[],
	keepMs?: number,
) {
	const now = performance.now();
	const shown = keepDecided(before, waiting, now, keepMs);
	return { waiting, shown, next: nextLinger(shown, now) };
}

export interface InboxCard {
	sessionId: string;
	approval: ApprovalView;
	/** What went otherwise than decided with its call. */
	alarm?: CallAlarm;
	/** Since when (ms of the page's clock) it is over, of one that the page has seen waiting. */
	overSince?: number;
}

/** A record of the journal as a card; only prompts of the client carry suggestions, if perhaps none. */
export function cardOf({ id, sessionId, input: _input, alarm, ...rest }: ApprovalRecord): InboxCard {
	const approval = { approvalId: id, ...rest, ...(rest.suggestions && { isPrompt: true as const }) };
	return { sessionId, approval, ...(alarm && { alarm }) };
}

/** Nobody decided: the denial stands. A prompt that was closed has been decided in the terminal. */
export function isLapsed({ state, isPrompt }: ApprovalView): boolean {
	return state === 'expired' || (state === 'abandoned' && !isPrompt);
}
