import { useCallback, useEffect, useState } from 'react';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { find } from '#lib/session/view.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';

interface RowEvents {
	key: string;
	events: IndexedEvent[] | null;
	error: string | null;
}

/** The events of one row, read again whenever `version` changes; what is on screen stays until the answer comes. */
export function useRowEvents(sessionId: string, key: string | null, version: unknown): RowEvents | null {
	const { getEvents } = useSessionSource();
	const [rowEvents, setRowEvents] = useState<RowEvents | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that there are more events.
	useEffect(() => {
		if (key === null) return;
		let current = true;
		void getEvents(sessionId, { row: key, limit: 1000 }).then((answer) => {
			if (!current) return;
			setRowEvents(
				answer.ok ? { key, events: answer.data.events, error: null } : { key, events: null, error: answer.message },
			);
		});
		return () => {
			current = false;
		};
	}, [sessionId, key, version]);
	return rowEvents?.key === key ? rowEvents : null;
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
