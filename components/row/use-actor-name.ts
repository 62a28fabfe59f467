import { useCallback } from 'react';
import { find } from '#lib/session/view.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';

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
