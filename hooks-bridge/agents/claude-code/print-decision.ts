import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isJson, type Json } from '#lib/json/json.ts';
import type { Profile } from '../../ports/ports.ts';

/** The one JSON object that a hook prints, or null for nothing. */
export type HookOutput = Json | null;

/**
 * The client asks its own person about these whatever a hook allows, unless the hook hands back an input; the call's own
 * will do (measured on 2.1.200 and 2.1.330).
 */
const NEEDS_INPUT_BACK: readonly string[] = ['ExitPlanMode'];

/** A decision in the words that Claude Code reads at this event. */
export function printDecision(said: HookDecision | null, hook: AgentHook): HookOutput {
	if (said === null) return null;
	switch (hook.at) {
		case 'call':
			return printCall(said);
		case 'permission':
			return printPermission(said, hook);
		default:
			return printEnd(said, hook.name);
	}
}

function printCall(said: HookDecision): HookOutput {
	const { decision, reason, message, context, endsTurn, stopReason, input, review } = said;
	const shown = message !== undefined && { systemMessage: message };
	const specific = {
		hookEventName: 'PreToolUse',
		...(decision !== 'pass' && { permissionDecision: decision }),
		...(decision !== 'pass' && reason !== undefined && { permissionDecisionReason: reason }),
		...(input && { updatedInput: input }),
		...(context !== undefined && { additionalContext: context }),
	};
	if (review) return { ...shown, hookSpecificOutput: specific };
	switch (decision) {
		case 'pass':
			return context === undefined && !input ? shown || null : { ...shown, hookSpecificOutput: specific };
		case 'allow':
			return { continue: true, ...shown, hookSpecificOutput: specific };
		case 'ask':
			return { ...shown, hookSpecificOutput: specific };
		case 'deny':
			return {
				...(endsTurn && { continue: false, ...(stopReason !== undefined && { stopReason }) }),
				suppressOutput: false,
				...shown,
				hookSpecificOutput: specific,
			};
	}
}

/** The client's own permission prompt. Only what it suggested itself becomes a rule. */
function printPermission(said: HookDecision, { call }: HookAt<'permission'>): HookOutput {
	const { decision, reason, endsTurn, input, rules = [] } = said;
	if (decision === 'pass' || decision === 'ask') return null;
	const own = NEEDS_INPUT_BACK.includes(call.tool) && isJson(call.input) ? call.input : undefined;
	const updatedInput = input ?? own;
	const answer =
		decision === 'deny'
			? { behavior: 'deny', message: reason, ...(endsTurn && { interrupt: true }) }
			: {
					behavior: 'allow',
					...(updatedInput && { updatedInput }),
					...(rules.length > 0 && { updatedPermissions: rules }),
				};
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: answer } };
}

/** Where an agent, a turn or a task ends, a denial sends it on; elsewhere only texts are read. */
function printEnd({ decision, reason, message, context }: HookDecision, event: string): HookOutput {
	const output = {
		...(decision === 'deny' && { decision: 'block' }),
		...(reason !== undefined && { reason }),
		...(message !== undefined && { systemMessage: message }),
		...(context !== undefined && { hookSpecificOutput: { hookEventName: event, additionalContext: context } }),
	};
	return Object.keys(output).length === 0 ? null : output;
}

/** What a profile prints when nothing can be judged (DESIGN 5). */
export function printUnjudged(profile: Profile, reason: string): HookOutput {
	const message = `Signalbox: ${reason}`;
	switch (profile) {
		case 'observe':
		case 'supervisor':
			return null;
		case 'open':
			return { continue: true, systemMessage: message };
		case 'closed':
			return {
				hookSpecificOutput: {
					hookEventName: 'PreToolUse',
					permissionDecision: 'deny',
					permissionDecisionReason: message,
				},
			};
	}
}
