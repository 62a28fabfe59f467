import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { agentTitle, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import type { ReadPorts } from '../ports/ports.ts';
import { contentId } from './event-ids.ts';

/** The lines that say whose session it is. */
const PLACED: readonly unknown[] = ['session:start', 'prompt:submit'];

/**
 * Two makes of agent that name the same session have one timeline, by accident or because one pretends to be in the
 * other's: it is said, once for each of them.
 */
export function draftStranger({ agent, at, sessionId }: AgentHook, sight: ReadPorts): DraftEvent[] {
	if ((at !== 'session-start' && at !== 'prompt') || sessionId === HOME_SESSION) return [];
	const told = sight.linesWith(sessionId, '"cwd"').filter(({ type }) => PLACED.includes(type));
	const other = told.map(({ make }) => String(make ?? FIRST_AGENT)).find((make) => make !== agent);
	if (other === undefined) return [];
	const id = contentId(sight, ['stranger', sessionId, agent]);
	if (sight.recorded(sessionId, [id])) return [];
	const message = `Hooks of ${agentTitle(agent)} come with the id of a session of ${agentTitle(other)}: what both do stands in this one.`;
	return [{ type: 'system:warning', id, code: 'session/two-makes', message }];
}
