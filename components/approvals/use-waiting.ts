import { useMemo } from 'react';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { deadlineOf, type WaitingApproval, waitingApprovals } from './waiting.ts';

/** Open approvals whose deadline has not passed, the most urgent first, running reviews too if asked for; live. */
export function useWaiting(withReviews = false): WaitingApproval[] {
	const sessions = useLive((state) => state.sessions);
	const now = useNow();
	const all = useMemo(() => waitingApprovals(sessions, withReviews), [sessions, withReviews]);
	return useMemo(() => all.filter(({ approval }) => deadlineOf(approval) > now), [all, now]);
}
