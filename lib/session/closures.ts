import type { HookPoint } from '../agents/agent-hook.ts';
import { clientDenial, hookPointOf, runningAgentIds } from '../agents/recorded-event.ts';
import type { KnownEvent } from '../contract/events/event.ts';
import type { ClosedWhy } from './call.ts';
import { fieldText, oneLine } from './call-title.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isCallOpen } from './fold-call.ts';
import type { SessionView } from './view.ts';

/** Agents and calls that an event ends although they never said so themselves. */
export interface Closures {
	agents: string[];
	calls: string[];
	why: ClosedWhy;
	/** In the client's words. */
	reason?: string;
}

/** Nothing more comes of the calls that the main agent's turn left open. */
const TURN_ENDS: readonly HookPoint[] = ['turn-end', 'turn-failure', 'interrupt'];

const nothing: Closures = { agents: [], calls: [], why: 'turn-ended' };

/**
 * Sessions end badly in reality (observed facts, section 5): SIGKILL, Esc, API errors and hard stops
 * leave agents and calls without an end of their own. Pure; looks at the view before the event.
 */
export function closures(view: SessionView, event: KnownEvent): Closures {
	switch (event.type) {
		case 'session:end':
			return everything(view, 'session-ended');
		case 'session:lost':
			return everything(view, 'client-gone');
		case 'prompt:submit':
			// A new turn of the main agent: whatever its last one left open was interrupted.
			return { ...ofActor(view, undefined, 'turn-ended'), agents: [] };
		case 'hook:event':
			return afterHook(view, event);
		case 'agent:complete':
		case 'agent:error':
			return { ...ofActor(view, event.agentId, 'turn-ended'), agents: [] };
		case 'tool:result':
			// A foreground sub-agent is over when its call is, even if it never got a SubagentStop (c04).
			return event.startedAgentId && !event.background ? ofAgents(view, [event.startedAgentId], 'turn-ended') : nothing;
		case 'tool:error':
			return ofAgents(view, startedBy(view, event.toolUseId), 'call-failed');
		case 'gate:verdict':
			if (event.decision !== 'deny' || event.form !== 'stop') return nothing;
			if (event.agentId !== undefined) return ofAgents(view, [event.agentId], 'turn-stopped');
			return without(ofActor(view, undefined, 'turn-stopped'), event.toolUseId);
		default:
			return nothing;
	}
}

function afterHook(view: SessionView, event: Extract<KnownEvent, { type: 'hook:event' }>): Closures {
	const denial = clientDenial(event);
	if (denial) {
		// In auto mode the client itself denies, and nothing else follows for that call.
		const reason = oneLine(fieldText(denial.reason));
		const calls = event.toolUseId === undefined ? [] : [event.toolUseId];
		return { agents: [], calls, why: 'client-denied', ...(reason && { reason }) };
	}
	if (event.agentId !== undefined || !TURN_ENDS.includes(hookPointOf(event))) return nothing;
	const own = ofActor(view, undefined, 'turn-ended');
	const running = runningAgentIds(event);
	// Without the list (older clients) nothing is known of the agents.
	if (running === null) return { ...own, agents: [] };
	const ids = new Set(running);
	const gone = view.agents.filter((agent) => isAgentOpen(agent) && !ids.has(agent.agentId));
	const theirs = ofAgents(
		view,
		gone.map((agent) => agent.agentId),
		'turn-ended',
	);
	return { agents: theirs.agents, calls: [...own.calls, ...theirs.calls], why: 'turn-ended' };
}

function everything(view: SessionView, why: ClosedWhy): Closures {
	const calls = view.calls.filter(isCallOpen);
	const agents = view.agents.filter(isAgentOpen);
	return { agents: agents.map((agent) => agent.agentId), calls: calls.map((call) => call.toolUseId), why };
}

function ofActor(view: SessionView, agentId: string | undefined, why: ClosedWhy): Closures {
	const calls = view.calls.filter(
		// A background call is over for its caller; only the agent's own end closes it.
		(call) => call.agentId === agentId && isCallOpen(call) && !call.evidence,
	);
	return { agents: [], calls: calls.map((call) => call.toolUseId), why };
}

function ofAgents(view: SessionView, agentIds: readonly string[], why: ClosedWhy): Closures {
	const open = view.agents.filter((agent) => agentIds.includes(agent.agentId) && isAgentOpen(agent));
	const calls = open.flatMap((agent) => ofActor(view, agent.agentId, why).calls);
	return { agents: open.map((agent) => agent.agentId), calls, why };
}

const startedBy = (view: SessionView, toolUseId: string | undefined) =>
	view.agents.filter((agent) => toolUseId !== undefined && agent.toolUseId === toolUseId).map((agent) => agent.agentId);

const without = (closed: Closures, toolUseId: string | undefined): Closures => ({
	...closed,
	calls: closed.calls.filter((id) => id !== toolUseId),
});
