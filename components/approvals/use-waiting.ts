import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useClock } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { deadlineOf, type WaitingApproval, waitingApprovals } from './waiting.ts';

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
