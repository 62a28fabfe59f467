import { useCallback } from 'react';
import { useSession } from '../live/store.ts';

/** Says an actor's name from its agent id; `main` without one, the id's beginning for one that was let go. */
export function useActorName(sessionId: string): (agentId: string | undefined) => string {
	const agents = useSession(sessionId, (session) => session.view?.agents ?? null);
	return useCallback(
		(agentId) => {
			if (agentId === undefined) return 'main';
			const agent = agents && Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
			return agent?.name ?? agentId.slice(0, 12);
		},
		[agents],
	);
}
