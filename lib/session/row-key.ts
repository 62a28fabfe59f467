import type { TimelineEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { find } from './roster.ts';
import type { IndexedEvent, SessionView } from './view.ts';

/**
 * Which line of the story an event belongs to. Events of one call share a row, and so does the end
 * of the agent that the call started, once it is bound. Needs the view before the event.
 */
export function rowKeyOf(view: Pick<SessionView, 'agents'>, event: IndexedEvent | TimelineEvent): string {
	if (!isKnown(event) || ('unverified' in event && event.unverified)) return `event:${event.id}`;
	switch (event.type) {
		case 'tool:call':
		case 'tool:result':
		case 'tool:error':
		case 'gate:verdict':
		case 'routing:mismatch':
		case 'agent:delegate':
		// Of the agent shell; a line of another program may belong to no call.
		case 'command:run':
		case 'command:block':
		case 'grant:use':
		case 'permission:decide':
			return event.toolUseId ? `call:${event.toolUseId}` : `event:${event.id}`;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error': {
			const call = event.toolUseId ?? find(view.agents, 'agentId', event.agentId)?.toolUseId;
			return call ? `call:${call}` : `event:${event.id}`;
		}
		case 'approval:request':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late':
			return event.toolUseId ? `call:${event.toolUseId}` : `approval:${event.approvalId}`;
		default:
			return `event:${event.id}`;
	}
}
