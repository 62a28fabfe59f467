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

/** Address of the inbox with this card first. */
export const cardAddress = (approvalId: string) => `/approvals?card=${encodeURIComponent(approvalId)}` as const;

const NO_DEADLINE = Number.POSITIVE_INFINITY;

/** Time (ms) at which the approval expires; Infinity without a deadline. */
export function deadlineOf(approval: ApprovalView): number {
	const at = approval.deadline ? Date.parse(approval.deadline) : NO_DEADLINE;
	return Number.isNaN(at) ? NO_DEADLINE : at;
}

/** All open approvals, most urgent first. Running reviews, for which no one waits, only with `withReviews`. */
export function waitingApprovals(sessions: Sessions | null, withReviews = false): readonly WaitingApproval[] {
	if (!sessions) return NOTHING;
	return withReviews ? withReviewsIn(sessions) : decidableIn(sessions);
}

type Sessions = Record<string, SessionSummary>;

const NOTHING: readonly WaitingApproval[] = [];

// Memoized, because it is called at every store change and the sessions rarely change.
const withReviewsIn = remembered((sessions: Sessions): readonly WaitingApproval[] =>
	Object.values(sessions)
		.flatMap((session) => session.approvals.map((approval) => ({ approval, session })))
		.filter(({ approval }) => approval.state === 'waiting' && !approval.unverified)
		.sort((a, b) => deadlineOf(a.approval) - deadlineOf(b.approval)),
);
const decidableIn = remembered((sessions: Sessions) =>
	withReviewsIn(sessions).filter(({ approval }) => !isReviewing(approval)),
);

/** Open approvals before their deadline, most urgent first, with running reviews if asked for. Updates live. */
export function useWaiting({ withReviews = false } = {}): WaitingApproval[] {
	const sessions = useLive((state) => state.sessions);
	const all = useMemo(() => waitingApprovals(sessions, withReviews), [sessions, withReviews]);
	const lapsed = useClock((now) => all.filter(({ approval }) => deadlineOf(approval) <= now).length);
	// Sorted by deadline, so expired ones come first.
	return useMemo(() => all.slice(lapsed), [all, lapsed]);
}

/** Number of approvals from `useWaiting`; renders only when the number changes. */
export function useWaitingCount(): number {
	const deadlines = useLive(
		useShallow(({ sessions }) => waitingApprovals(sessions).map(({ approval }) => deadlineOf(approval))),
	);
	return useClock((now) => deadlines.filter((deadline) => deadline > now).length);
}

/** How long (ms) a decided question stays in place as a receipt. The rest of the list does not move meanwhile. */
export const RECEIPT_MS = 5000;

/** A question in a list, with the time (ms) at which it was over. */
export type Lingering<Item> = Item & { overSince?: number };

/**
 * The list at `now` (ms). Questions that are over stay for `keepMs`. While one of them shows its receipt (RECEIPT_MS) the order
 * is fixed and new ones are appended; then waiting ones come first, most urgent on top.
 */
export function keepDecided<Item extends { approval: ApprovalView }>(
	shown: readonly Lingering<Item>[],
	waiting: readonly Item[],
	now: number,
	keepMs = RECEIPT_MS,
): readonly Lingering<Item>[] {
	const open = new Map(waiting.map((each) => [each.approval.approvalId, each]));
	const remaining = shown.flatMap((each): Lingering<Item>[] => {
		const known = open.get(each.approval.approvalId);
		if (known) return [known];
		const { overSince = now } = each;
		return now - overSince < keepMs ? [{ ...each, overSince }] : [];
	});
	const places = new Set(remaining.map(({ approval }) => approval.approvalId));
	const all: Lingering<Item>[] = [...remaining, ...waiting.filter(({ approval }) => !places.has(approval.approvalId))];
	if (nextReceiptEnd(all, now) !== null) return all;
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

/** Time (ms) at which the next receipt expires and the list changes; null without receipts. */
export function nextReceiptEnd(shown: readonly Lingering<{ approval: ApprovalView }>[], now: number): number | null {
	const ends = shown.flatMap(({ overSince }) => (overSince === undefined ? [] : overSince + RECEIPT_MS));
	const next = ends.filter((end) => end > now);
	return next.length === 0 ? null : Math.min(...next);
}

export type Question = Lingering<WaitingApproval>;

/** `useWaiting`, with decided questions in their places until their receipts expire. */
export const useQuestions = (options?: { withReviews: boolean }): readonly Question[] =>
	useKeepDecided(useWaiting(options));

/** Keeps decided questions as `keepDecided` does. `waiting` must keep its identity until its content changes. */
export function useKeepDecided<Item extends { approval: ApprovalView }>(
	waiting: readonly Item[],
	keepMs?: number,
): readonly Lingering<Item>[] {
	const [known, setKnown] = useState(() => shownAfter([], waiting, keepMs));
	let { shown } = known;
	// Update while rendering, so that a decided row does not disappear for a frame.
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

function shownAfter<Item extends { approval: ApprovalView }>(
	before: readonly Lingering<Item>[],
	waiting: readonly Item[],
	keepMs?: number,
) {
	const now = performance.now();
	const shown = keepDecided(before, waiting, now, keepMs);
	return { waiting, shown, next: nextReceiptEnd(shown, now) };
}

export interface InboxCard {
	sessionId: string;
	approval: ApprovalView;
	/** Set if the call ended differently from what was decided. */
	alarm?: CallAlarm;
	/** When it was over (ms of the page's clock). Only if this page saw it waiting. */
	overSince?: number;
}

/** Converts a journal record into a card. Only prompts of a client have suggestions, possibly none. */
export function cardOf({ id, sessionId, input: _input, alarm, ...rest }: ApprovalRecord): InboxCard {
	const approval = { approvalId: id, ...rest, ...(rest.suggestions && { isPrompt: true as const }) };
	return { sessionId, approval, ...(alarm && { alarm }) };
}

/** Expired without a decision, so the denial stands. A closed prompt was decided in the terminal. */
export function isLapsed({ state, isPrompt }: ApprovalView): boolean {
	return state === 'expired' || (state === 'abandoned' && !isPrompt);
}
