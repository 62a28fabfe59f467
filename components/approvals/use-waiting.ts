import { useMemo } from 'react';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { deadlineOf, type WaitingApproval, waitingApprovals } from './waiting.ts';

/** Open approvals whose deadline has not passed, the most urgent first; live. */
export function useWaiting(): WaitingApproval[] {
	const sessions = useLive((state) => state.sessions);
	const now = useNow();
	const all = useMemo(() => waitingApprovals(sessions), [sessions]);
	return useMemo(() => all.filter(({ approval }) => deadlineOf(approval) > now), [all, now]);
}
