import type { AgentHook, HookPoint } from '#lib/agents/agent-hook.ts';
import type { HookContext } from './hook-context.ts';

/*
 * Which hooks concern more than the timeline. It stands apart from what then happens, because the fallback leaves that
 * code unread for all other hooks (scripts/bundle-hook.mjs).
 */

/** An agent or a turn ends: a running workflow goes on. */
const ENDS: readonly HookPoint[] = ['agent-end', 'turn-end'];
/** Something may be said to the agent, also where no workflow runs. */
const GUIDES: readonly HookPoint[] = ['session-start', 'compact', 'prompt'];
/** A tool ran: it may teach something. */
const TOOLS: readonly HookPoint[] = ['result', 'failure'];
/** What is told holds more where a workflow runs. */
export const ENRICHED: readonly HookPoint[] = ['compact', 'agent-start', 'turn-failure', 'session-end'];

/** A routing plan is made, or a task of it is marked. */
const ROUTED: readonly HookPoint[] = ['agent-end', 'turn-failure', 'failure', 'prompt'];

/** What calls of these kinds did is observed, also where the settings switch workflows on and none runs (seed 001). */
const OBSERVED: readonly string[] = ['run-command', 'edit-file'];

/** Agents may work no more although they never said so themselves. */
const BEGINS: readonly unknown[] = ['startup', 'resume'];

/**
 * Whether the hook is one for the session's workflow, or a stop, which a plan may refuse too; costs one look at the file
 * system at most, and the settings where a tool's use may be observed.
 */
export function workflowTakesPart(hook: AgentHook, world: HookContext): boolean {
	const { at, sessionId } = hook;
	if (GUIDES.includes(at) || at === 'turn-end') return true;
	if (![ENDS, TOOLS, ENRICHED].some((points) => points.includes(at))) return false;
	if (world.sight.flow.has(sessionId)) return true;
	const isSeen = (hook.at === 'result' || hook.at === 'failure') && OBSERVED.includes(hook.call.deed.does);
	return isSeen && world.settings.workflow.enabled === true;
}

/** Whether the hook changes what the session's workflow is: it is judged and told under its lock. */
export function changesWorkflow(hook: AgentHook): boolean {
	if (hook.at === 'call') return hook.call.deed.does === 'start-agent';
	return ENDS.includes(hook.at) || mayLoseAgents(hook);
}

/** Whether a hook may mean that agents work no more although they never said so themselves. */
export function mayLoseAgents(hook: AgentHook): boolean {
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

/** Whether the hook may move a routing plan on. */
export function planTakesPart({ at }: AgentHook): boolean {
	return ROUTED.includes(at);
}
