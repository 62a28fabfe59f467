import { useCallback } from 'react';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { find } from '#lib/session/call.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAnswer } from '../live/use-answer.ts';

/** Events of a row, reloaded when `version` changes. Null until the first answer; old data stays while reloading. */
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

/** Returns the name of an actor by agent id: `main` without an id, the start of the id for agents no longer known. */
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
