import { useCallback } from 'react';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { find } from '#lib/session/view.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAnswer } from '../live/use-answer.ts';

/** The events of one row, read again whenever `version` changes; null until the first answer, which then stays. */
export function useRowEvents(
	sessionId: string,
	key: string,
	version: unknown,
): { events: readonly IndexedEvent[] | null; error: string | null } | null {
	const { getEvents } = useSessionSource();
	const ask = useCallback(() => getEvents(sessionId, { row: key, limit: 1000 }), [getEvents, sessionId, key]);
	const { data, error } = useAnswer(ask, undefined, version);
	return data === null && error === null ? null : { events: data?.events ?? null, error };
}

/** Says an actor's name from its agent id; `main` without one, the id's beginning for one that was let go. */
export function useActorName(sessionId: string): (agentId: string | undefined) => string {
	const say = useSay();
	const agents = useSession(sessionId, (session) => session.view?.agents ?? null);
	return useCallback(
		(agentId) => {
			if (agentId === undefined) return say('main');
			return (agents && find(agents, 'agentId', agentId)?.name) ?? agentId.slice(0, 12);
		},
		[agents, say],
	);
}
