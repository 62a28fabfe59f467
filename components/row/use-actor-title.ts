import { useCallback } from 'react';
import { find } from '#lib/session/view.ts';
import { clip } from '#lib/text/printable.ts';
import { useSession } from '../live/session-source.ts';
import { useActorName } from './use-actor-name.ts';

const TASK_CHARS = 40;

/** As `useActorName`, and what the agent was for, so that of six developers each can be told from the others. */
export function useActorTitle(sessionId: string): (agentId: string | undefined) => string {
	const nameOf = useActorName(sessionId);
	const agents = useSession(sessionId, (session) => session.view?.agents ?? null);
	return useCallback(
		(agentId) => {
			const name = nameOf(agentId);
			const agent = agents && agentId !== undefined ? find(agents, 'agentId', agentId) : undefined;
			if (!agents || !agent) return name;
			const alike = agents.filter((one) => one.name === agent.name && one.stage === agent.stage);
			const nth = alike.length > 1 ? `${alike.indexOf(agent) + 1}` : undefined;
			const task = clip(agent.stage ?? agent.description ?? '', TASK_CHARS);
			return [name, task, nth].filter(Boolean).join(' · ');
		},
		[nameOf, agents],
	);
}
