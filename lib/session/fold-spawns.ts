import { callKind, endedAgentKind, isTypedCommand, runsScript, wakesAgent } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { GENERAL_AGENT } from '../routing/agent-name.ts';
import { isActivePlan } from '../routing/routing-state.ts';
import { isRunning } from '../workflow/workflow-state.ts';
import { find, findCall } from './roster.ts';
import type { SessionView, SpawnsView, UnaskedAgent } from './view.ts';

const COPY = 'fork';
const KEPT = 20;
const MOST_NAMES = 200;
/** One call of it starts as many agents as its script says. */
const AS_MANY_AS_IT_LIKES = 1000;

function isBeginning({ agents, counters }: SessionView, event: KnownEvent): boolean {
	return event.type === 'session:start' && event.source === 'startup' && counters.calls === 0 && agents.length === 0;
}

const isScript = ({ calls }: SessionView, toolUseId: string): boolean =>
	runsScript(findCall(calls, toolUseId)?.tool ?? '');

function withDue(spawns: SpawnsView, agent: string, isScripted: boolean): SpawnsView {
	const { due, dueAny } = spawns;
	if (isScripted) return { ...spawns, dueAny: dueAny + AS_MANY_AS_IT_LIKES };
	const isNamed = Object.hasOwn(due, agent);
	if (!isNamed && Object.keys(due).length >= MOST_NAMES) return { ...spawns, dueAny: dueAny + 1 };
	return { ...spawns, due: { ...due, [agent]: (isNamed ? (due[agent] ?? 0) : 0) + 1 } };
}

function withoutDue(spawns: SpawnsView, appeared: UnaskedAgent): SpawnsView {
	const { due, dueAny } = spawns;
	// Where no type is named, the client may also start a copy of the main agent.
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
	return { ...spawns, unasked: [...spawns.unasked, { agentId, agent, at }].slice(-KEPT) };
}

/** An end that the hook itself found to be of no agent that started: then it is kept only as what was posted. */
function postedEnd(event: EventOf<'hook:event'>): UnaskedAgent | null {
	const { agentId, ts: at } = event;
	const agent = endedAgentKind(event);
	return agent === null || agentId === undefined ? null : { agentId, agent, at };
}

function withElsewhere(spawns: SpawnsView, event: KnownEvent, view: SessionView): SpawnsView {
	return isElsewhere(event, view) ? { ...spawns, dueAny: spawns.dueAny + 1 } : spawns;
}

/** Whether a plan or a workflow says which agents come next. */
function isLed({ plan, workflow }: SessionView): boolean {
	return (plan !== undefined && isActivePlan(plan)) || isRunning(workflow);
}

/** What the client says of agents that no call of this session has to have started. */
function isElsewhere(event: KnownEvent, view: SessionView): boolean {
	// A slash command that a person typed may be a skill with an agent of its own.
	if (event.type === 'hook:event') return isTypedCommand(event);
	if (event.type !== 'tool:call') return false;
	// A skill of a plugin may have an agent of its own, which nobody could read; where agents are led it is told.
	if (callKind(event) === 'use-skill') return !isLed(view);
	// A message wakes an agent, also one that this session has from the one it was forked from.
	const to = wakesAgent(event);
	return to !== undefined && !find(view.agents, 'agentId', to);
}

/**
 * Counts agents that are due by name, since neither the order of starts nor an id ties one to its call. Counted from a
 * session's first start on: of one that was not watched from there nobody knows what it began before. The view is that
 * before the event.
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
