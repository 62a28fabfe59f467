import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { isReviewing } from '#lib/session/call.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useClock } from '../live/now.ts';
import { useLive } from '../live/store.ts';

/** An approval that a person can still decide, with the session it belongs to. */
export interface WaitingApproval {
	approval: ApprovalView;
	session: SessionSummary;
}

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
