import type { HookPoint } from '../agents/agent-hook.ts';
import {
	callKind,
	clientDenial,
	endedAgentKind,
	hookPointOf,
	isTypedCommand,
	runningAgentIds,
	runsScript,
	wakesAgent,
} from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type { ClosedWhy } from '../contract/sessions/read-model/call-view.ts';
import type { AgentView, SessionView, SpawnsView, UnaskedAgent } from '../contract/sessions/read-model/session-view.ts';
import { GENERAL_AGENT, isActivePlan } from '../routing/routing-state.ts';
import { fieldText, oneLine } from '../text/printable.ts';
import { isRunning } from '../workflow/workflow-state.ts';
import { find, findCall, isCallOpen, isLater } from './call.ts';

type AgentEvent = EventOf<'agent:start' | 'agent:complete' | 'agent:error' | 'agent:delegate'>;

/** Starts are counted against ends, because a resumed agent starts again. */
export function isAgentOpen(agent: AgentView): boolean {
	return agent.starts > agent.ends && !(agent.closed && agent.closed.at >= (agent.startedAt ?? ''));
}

export function agentKeyOf(event: AgentEvent): string {
	if (event.type === 'agent:delegate') return `name:${event.agent}`;
	return event.agentId ?? `name:${event.agent}`;
}

/** The order of events does not matter: starts and ends are counted, and instants are the latest of their kind. */
export function foldAgent(before: AgentView | undefined, event: AgentEvent): AgentView {
	const agent: AgentView = before ?? { agentId: agentKeyOf(event), name: event.agent, starts: 0, ends: 0, calls: 0 };
	const named = { ...agent, name: agent.name || event.agent, ...(event.stage && { stage: event.stage }) };
	switch (event.type) {
		case 'agent:delegate':
		case 'agent:start': {
			const bound = event.toolUseId ?? agent.toolUseId;
			return {
				...named,
				starts: agent.starts + 1,
				startedAt: agent.startedAt && agent.startedAt > event.ts ? agent.startedAt : event.ts,
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

/** Agents and calls that end with an event although no event of their own says so. */
interface EndedParts {
	agents: string[];
	calls: string[];
	why: ClosedWhy;
	reason?: string;
}

const TURN_ENDS: readonly HookPoint[] = ['turn-end', 'turn-failure', 'interrupt'];

const nothing: EndedParts = { agents: [], calls: [], why: 'turn-ended' };

/** Killed processes, Esc, API errors and hard stops leave agents and calls open; the view is that before the event. */
export function endedBy(view: SessionView, event: KnownEvent): EndedParts {
	switch (event.type) {
		case 'session:end':
			return everything(view, 'session-ended');
		case 'session:lost':
			return everything(view, 'client-gone');
		case 'prompt:submit':
			// What the last turn left open was interrupted.
			return { ...ofActor(view, undefined, 'turn-ended'), agents: [] };
		case 'hook:event':
			return afterHook(view, event);
		case 'agent:complete':
		case 'agent:error':
			return { ...ofActor(view, event.agentId, 'turn-ended'), agents: [] };
		case 'tool:result':
			// A foreground sub-agent ends with its call, even without a SubagentStop.
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

function afterHook(view: SessionView, event: Extract<KnownEvent, { type: 'hook:event' }>): EndedParts {
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
	// Older clients send no list of running agents.
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

function everything(view: SessionView, why: ClosedWhy): EndedParts {
	const calls = view.calls.filter(isCallOpen);
	const agents = view.agents.filter(isAgentOpen);
	return { agents: agents.map((agent) => agent.agentId), calls: calls.map((call) => call.toolUseId), why };
}

function ofActor(view: SessionView, agentId: string | undefined, why: ClosedWhy): EndedParts {
	const calls = view.calls.filter(
		// A background call is over for its caller; only the agent's own end closes it.
		(call) => call.agentId === agentId && isCallOpen(call) && !call.evidence,
	);
	return { agents: [], calls: calls.map((call) => call.toolUseId), why };
}

function ofAgents(view: SessionView, agentIds: readonly string[], why: ClosedWhy): EndedParts {
	const open = view.agents.filter((agent) => agentIds.includes(agent.agentId) && isAgentOpen(agent));
	const calls = open.flatMap((agent) => ofActor(view, agent.agentId, why).calls);
	return { agents: open.map((agent) => agent.agentId), calls, why };
}

const startedBy = (view: SessionView, toolUseId: string | undefined) =>
	view.agents.filter((agent) => toolUseId !== undefined && agent.toolUseId === toolUseId).map((agent) => agent.agentId);

const without = (closed: EndedParts, toolUseId: string | undefined): EndedParts => ({
	...closed,
	calls: closed.calls.filter((id) => id !== toolUseId),
});

const COPY = 'fork';
const MAX_NAMES = 200;
const MAX_UNASKED = 20;
/** A script may start any number of agents. */
const AS_MANY_AS_IT_LIKES = 1000;

/**
 * Counts expected agents by name, since nothing ties a start to its call; only if the session was watched from its first start.
 */
export function foldSpawns(view: SessionView, event: KnownEvent): SpawnsView | undefined {
	const { spawns } = view;
	if (!spawns) return isBeginning(view, event) ? { due: {}, dueAny: 0, unasked: [] } : undefined;
	switch (event.type) {
		case 'agent:delegate':
			return event.toolUseId ? withDue(spawns, event.agent, isScript(view, event.toolUseId)) : spawns;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error':
			if (event.agentId === undefined || find(view.agents, 'agentId', event.agentId)) return spawns;
			return withoutDue(spawns, { agentId: event.agentId, agent: event.agent, at: event.ts });
		case 'hook:event': {
			const ended = postedEnd(event);
			return ended ? withUnasked(spawns, ended) : withElsewhere(spawns, event, view);
		}
		default:
			return withElsewhere(spawns, event, view);
	}
}

function isBeginning({ agents, counters }: SessionView, event: KnownEvent): boolean {
	return event.type === 'session:start' && event.source === 'startup' && counters.calls === 0 && agents.length === 0;
}

const isScript = ({ calls }: SessionView, toolUseId: string): boolean =>
	runsScript(findCall(calls, toolUseId)?.tool ?? '');

function withDue(spawns: SpawnsView, agent: string, isScripted: boolean): SpawnsView {
	const { due, dueAny } = spawns;
	if (isScripted) return { ...spawns, dueAny: dueAny + AS_MANY_AS_IT_LIKES };
	const isNamed = Object.hasOwn(due, agent);
	if (!isNamed && Object.keys(due).length >= MAX_NAMES) return { ...spawns, dueAny: dueAny + 1 };
	return { ...spawns, due: { ...due, [agent]: (isNamed ? (due[agent] ?? 0) : 0) + 1 } };
}

function withoutDue(spawns: SpawnsView, appeared: UnaskedAgent): SpawnsView {
	const { due, dueAny } = spawns;
	// Without a type the client may start a copy of the main agent.
	const names = appeared.agent === COPY ? [COPY, GENERAL_AGENT] : [appeared.agent];
	const name = names.find((one) => Object.hasOwn(due, one));
	if (name !== undefined) {
		const { [name]: left = 0, ...others } = due;
		return { ...spawns, due: left > 1 ? { ...others, [name]: left - 1 } : others };
	}
	if (dueAny > 0) return { ...spawns, dueAny: dueAny - 1 };
	return withUnasked(spawns, appeared);
}

function withUnasked(spawns: SpawnsView, { agentId, agent, at }: UnaskedAgent): SpawnsView {
	if (spawns.unasked.some((one) => one.agentId === agentId)) return spawns;
	return { ...spawns, unasked: [...spawns.unasked, { agentId, agent, at }].slice(-MAX_UNASKED) };
}

/** The hook found an end of an agent that never started. */
function postedEnd(event: EventOf<'hook:event'>): UnaskedAgent | null {
	const { agentId, ts: at } = event;
	const agent = endedAgentKind(event);
	return agent === null || agentId === undefined ? null : { agentId, agent, at };
}

function withElsewhere(spawns: SpawnsView, event: KnownEvent, view: SessionView): SpawnsView {
	return isElsewhere(event, view) ? { ...spawns, dueAny: spawns.dueAny + 1 } : spawns;
}

/** Agents that the client may start without a call of this session. */
function isElsewhere(event: KnownEvent, view: SessionView): boolean {
	// A slash command that a person typed may be a skill with an agent.
	if (event.type === 'hook:event') return isTypedCommand(event);
	if (event.type !== 'tool:call') return false;
	// A plugin's skill may have an agent that the hook cannot read; under a plan it is declared.
	if (callKind(event) === 'use-skill') return !(view.plan && isActivePlan(view.plan)) && !isRunning(view.workflow);
	// A message may wake an agent of the session that this one was forked from.
	const to = wakesAgent(event);
	return to !== undefined && !find(view.agents, 'agentId', to);
}
