import type { EventOf } from '../contract/events/event.ts';
import { fieldText, oneLine } from './call-title.ts';
import { isLater, latest } from './event-order.ts';
import type { AgentView } from './view.ts';

export type AgentEvent = EventOf<'agent:start' | 'agent:complete' | 'agent:error' | 'agent:delegate'>;

/** Whether an agent works: started more often than ended, and not closed by something else since. */
export function isAgentOpen(agent: AgentView): boolean {
	return agent.starts > agent.ends && !(agent.closed && agent.closed.at >= (agent.startedAt ?? ''));
}

/** The record key of the actor that an agent event speaks of; foreign lines know only the name. */
export function agentKeyOf(event: AgentEvent): string {
	if (event.type === 'agent:delegate') return `name:${event.agent}`;
	return event.agentId ?? `name:${event.agent}`;
}

/**
 * Folds the events of one agent; any order gives the same object, because starts and ends are
 * counted and instants are kept as the latest of their kind.
 */
export function foldAgent(before: AgentView | undefined, event: AgentEvent): AgentView {
	const agent: AgentView = before ?? { agentId: agentKeyOf(event), name: event.agent, starts: 0, ends: 0, calls: 0 };
	const named = { ...agent, name: agent.name || event.agent, ...(event.stage && { stage: event.stage }) };
	switch (event.type) {
		case 'agent:delegate':
		case 'agent:start': {
			const startedAt = latest(agent.startedAt, event.ts);
			const bound = event.toolUseId ?? agent.toolUseId;
			return {
				...named,
				starts: agent.starts + 1,
				...(startedAt && { startedAt }),
				...(bound && { toolUseId: bound }),
				...('description' in event && event.description && { description: oneLine(event.description) }),
			};
		}
		case 'agent:complete':
		case 'agent:error': {
			if (agent.end && !isLater(event, agent.end)) return { ...named, ends: agent.ends + 1 };
			const { error: _error, result: _result, message: _message, ...rest } = named;
			const ended = { ends: agent.ends + 1, endedAt: event.ts, end: { ts: event.ts, id: event.id } };
			if (event.type === 'agent:error') return { ...rest, ...ended, error: oneLine(event.reason) };
			return {
				...rest,
				...ended,
				...(event.result && { result: event.result }),
				...(event.message !== undefined && { message: oneLine(fieldText(event.message)) }),
			};
		}
	}
}
