import type { HookInput } from '../agents/claude-code/read-input.ts';
import type { Ports } from './ports.ts';

/*
 * Which hooks concern more than the timeline. It stands apart from what then happens, because the fallback leaves that
 * code unread for all other hooks (scripts/bundle-hook.mjs).
 */

/** An agent or a turn ends: a running workflow goes on. */
export const ENDS: readonly string[] = ['SubagentStop', 'Stop'];
/** Something may be said to the agent, also where no workflow runs. */
export const GUIDES: readonly string[] = ['SessionStart', 'PreCompact', 'UserPromptSubmit'];
/** A tool ran: it may teach something. */
export const TOOLS: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];
/** What is told holds more where a workflow runs. */
export const ENRICHED: readonly string[] = ['PreCompact', 'SubagentStart', 'StopFailure', 'SessionEnd'];

/** A routing plan is made, marked or held against the end of a turn. */
const ROUTED: readonly string[] = ['SubagentStop', 'StopFailure', 'PostToolUseFailure', 'Stop', 'UserPromptSubmit'];

/** Whether the hook is one for the session's workflow; costs one look at the file system at most. */
export function workflowTakesPart({ hook, sessionId }: HookInput, ports: Ports): boolean {
	if (GUIDES.includes(hook)) return true;
	return [ENDS, TOOLS, ENRICHED].some((hooks) => hooks.includes(hook)) && ports.flow.has(sessionId);
}

/** Whether the hook may move a routing plan on. */
export function planTakesPart({ hook }: HookInput): boolean {
	return ROUTED.includes(hook);
}
