import type { AgentHook, HookPoint } from '#lib/agents/agent-hook.ts';
import type { Ports } from './ports.ts';

/*
 * Which hooks concern more than the timeline. It stands apart from what then happens, because the fallback leaves that
 * code unread for all other hooks (scripts/bundle-hook.mjs).
 */

/** An agent or a turn ends: a running workflow goes on. */
export const ENDS: readonly HookPoint[] = ['agent-end', 'turn-end'];
/** Something may be said to the agent, also where no workflow runs. */
export const GUIDES: readonly HookPoint[] = ['session-start', 'compact', 'prompt'];
/** A tool ran: it may teach something. */
export const TOOLS: readonly HookPoint[] = ['result', 'failure'];
/** What is told holds more where a workflow runs. */
export const ENRICHED: readonly HookPoint[] = ['compact', 'agent-start', 'turn-failure', 'session-end'];

/** A routing plan is made, marked or held against the end of a turn. */
const ROUTED: readonly HookPoint[] = ['agent-end', 'turn-failure', 'failure', 'turn-end', 'prompt'];

/** What calls of these kinds did is observed, also where the settings switch workflows on and none runs (seed 001). */
const OBSERVED: readonly string[] = ['run-command', 'edit-file'];

/**
 * Whether the hook is one for the session's workflow; costs one look at the file system at most, and the settings
 * (`isEnabled`) where a tool's use may be observed.
 */
export function workflowTakesPart(hook: AgentHook, ports: Ports, isEnabled: () => boolean): boolean {
	const { at, sessionId } = hook;
	if (GUIDES.includes(at)) return true;
	if (![ENDS, TOOLS, ENRICHED].some((points) => points.includes(at))) return false;
	if (ports.flow.has(sessionId)) return true;
	return (hook.at === 'result' || hook.at === 'failure') && OBSERVED.includes(hook.call.deed.does) && isEnabled();
}

/** Whether the hook may move a routing plan on. */
export function planTakesPart({ at }: AgentHook): boolean {
	return ROUTED.includes(at);
}
