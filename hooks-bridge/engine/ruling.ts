import type { AgentHook, HookPoint } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { joinDecisions } from '#lib/gates/gate.ts';
import type { TaskMark } from '#lib/routing/routing-state.ts';
import type { Sighting } from '#lib/workflow/observation.ts';
import type { DeniedCall, WantedAssessment } from '../ports/denied-call.ts';
import type { HookContext } from './facts.ts';

/** The result of judging a hook, before anything is done: its answer, its events and its effects. */
export interface Ruling {
	/** Null prints nothing. */
	decision: HookDecision | null;
	/** Appended to the session's timeline before anything else. */
	events: readonly DraftEvent[];
	/** Performed in order once the events are recorded; otherwise none is. */
	effects: readonly Effect[];
	/** A gate judged a call: its verdict remains even if nothing can be written. */
	isJudged?: true;
	/** Why nothing could be judged: the profile answers instead. */
	unjudged?: string;
	held?: DeniedCall;
	assess?: WantedAssessment;
}

/** Everything that a hook may change in a project or in a session's files, beside recording events. */
export type Effect =
	/** An agent began or ended its task of a driven plan. */
	| { does: 'mark-task'; agent: string; mark: TaskMark }
	/** A stop was refused because of a plan, or the plan is over. */
	| { does: 'count-stop'; end: 'retry' | 'completed' | 'failed' }
	/** Makes a plan, unless the file no longer contains `replaces`; `says` is then the answer. */
	| { does: 'make-plan'; replaces: string | null; text: string; answer: HookDecision }
	| { does: 'write-handoff'; from: string; to: string; text: string }
	| { does: 'tick-box'; feature: string; label: string }
	| { does: 'archive-feature'; feature: string }
	| { does: 'make-folders' }
	| { does: 'note-sighting'; seen: Sighting }
	/** The session adopts habits of other sessions, and drops those not seen for long. */
	| { does: 'begin-habits'; others: readonly Observation[] }
	/** The agent was shown these habits, by their ids. */
	| { does: 'mark-shown'; ids: readonly string[] };

/** A ruling that only records events. */
export function eventsOnly(events: readonly DraftEvent[]): Ruling {
	return { decision: null, events, effects: [] };
}

/** One ruling of two: the second's events and effects come after the first's. */
export function joinRulings(one: Ruling, other: Ruling): Ruling {
	return {
		...one,
		...other,
		decision: joinDecisions(one.decision, other.decision),
		events: [...one.events, ...other.events],
		effects: [...one.effects, ...other.effects],
	};
}

/** An agent or a turn ends, so a running workflow may advance. */
const ENDS: readonly HookPoint[] = ['agent-end', 'turn-end'];
/** The agent may get guidance, also without a running workflow. */
const GUIDES: readonly HookPoint[] = ['session-start', 'compact', 'prompt'];
/** A tool ran, which may be observed. */
const TOOLS: readonly HookPoint[] = ['result', 'failure'];
/** Hooks that record more events if a workflow runs. */
export const ENRICHED: readonly HookPoint[] = ['compact', 'agent-start', 'turn-failure', 'session-end'];

/** A routing plan is made, or a task of it is marked. */
const ROUTED: readonly HookPoint[] = ['agent-end', 'turn-failure', 'failure', 'prompt'];

/** Calls of these kinds are observed, also without a running workflow if the settings switch workflows on (seed 001). */
const OBSERVED: readonly string[] = ['run-command', 'edit-file'];

/** Agents may have stopped without an event. */
const BEGINS: readonly unknown[] = ['startup', 'resume'];

/**
 * Whether the hook concerns the session's workflow, or is a stop, which a plan may refuse too. Costs one query of the file system
 * at most, and the settings if a tool's use may be observed.
 */
export function concernsWorkflow(hook: AgentHook, context: HookContext): boolean {
	const { at, sessionId } = hook;
	if (GUIDES.includes(at) || at === 'turn-end') return true;
	if (![ENDS, TOOLS, ENRICHED].some((points) => points.includes(at))) return false;
	if (context.ports.flow.has(sessionId)) return true;
	const isSeen = (hook.at === 'result' || hook.at === 'failure') && OBSERVED.includes(hook.call.deed.does);
	return isSeen && context.settings.workflow.enabled === true;
}

/** Whether the hook changes the session's workflow: then it is judged and recorded under the workflow's lock. */
export function changesWorkflow(hook: AgentHook): boolean {
	if (hook.at === 'call') return hook.call.deed.does === 'start-agent';
	return ENDS.includes(hook.at) || mayEndAgents(hook);
}

/** Whether a hook may mean that agents have stopped although they did not report it. */
export function mayEndAgents(hook: AgentHook): boolean {
	switch (hook.at) {
		case 'session-start':
			return BEGINS.includes(hook.source);
		case 'session-end':
		case 'turn-failure':
			return true;
		case 'failure':
			return hook.call.deed.does === 'start-agent';
		default:
			return false;
	}
}

/** Whether the hook may change a routing plan. */
export function mayChangePlan({ at }: AgentHook): boolean {
	return ROUTED.includes(at);
}
