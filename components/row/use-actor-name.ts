import { useCallback } from 'react';
import { find } from '#lib/session/roster.ts';
import { useSession } from '../live/session-source.ts';

/** Says an actor's name from its agent id; `main` without one, the id's beginning for one that was let go. */
export function useActorName(sessionId: string): (agentId: string | undefined) => string {
	const agents = useSession(sessionId, (session) => session.view?.agents ?? null);
	return useCallback(
		(agentId) => {
			if (agentId === undefined) return 'main';
			return (agents && find(agents, 'agentId', agentId)?.name) ?? agentId.slice(0, 12);
		},
		[agents],
	);
}
