import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import { requestSession } from './session-pages.ts';
import { useLive } from './store.ts';

/** The lines that these sessions have in the list, as far as they are known; those that no page has brought are asked for. */
export function useSummaries(sessionIds: readonly string[]): SessionSummary[] {
	const known = useLive(useShallow(({ sessions }) => sessionIds.map((sessionId) => sessions?.[sessionId])));
	const round = useLive(({ list }) => list?.round ?? 0);
	const missing = sessionIds.filter((_id, at) => known[at] === undefined).join(' ');
	useEffect(() => {
		if (round > 0) for (const sessionId of missing.split(' ').filter(Boolean)) requestSession(sessionId);
	}, [missing, round]);
	return known.filter((session) => session !== undefined);
}

/** A session's line of the list, asked for where no page has brought it yet; undefined until it is known. */
export function useSummary(sessionId: string): SessionSummary | undefined {
	return useSummaries([sessionId])[0];
}

/** At a hub: the machine of a session; undefined on that machine itself. */
export function useMachine(sessionId: string): Machine | undefined {
	return useSummary(sessionId)?.machine;
}
