import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, type Json } from '#lib/json/json.ts';
import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';
import type { Profile } from '../../ports/ports.ts';
import type { AgentAdapter } from '../agent-adapter.ts';
import { readCall, readHook, runInput } from './read-hook.ts';
import { transcripts } from './transcripts.ts';

const IN_ENVELOPE = new Set(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id']);

/** Claude Code, run with 2.1.112 to 2.1.330. */
export const claudeCode: AgentAdapter = {
	read: readHook,
	readCall,
	runInput,
	restOf: (raw: Json) => Object.fromEntries(Object.entries(raw).filter(([key]) => !IN_ENVELOPE.has(key))),
	callOfAgent(metaFile) {
		try {
			const meta: unknown = JSON.parse(metaFile);
			return isJson(meta) ? keyIdOf(meta.toolUseId, 'call') : undefined;
		} catch {
			return undefined;
		}
	},
	print: printDecision,
	printUnjudged,
	readReviewed: readSupervisorInput,
	readPrinted,
	transcripts,
};

/** The one JSON object that a hook prints, or null for nothing. */
type HookOutput = Json | null;

/** The client asks its person about these tools even if a hook allows them, unless the hook returns an input. */
const NEEDS_INPUT_BACK: readonly string[] = ['ExitPlanMode'];

function printDecision(answer: HookDecision | null, hook: AgentHook): HookOutput {
	if (answer === null) return null;
	switch (hook.at) {
		case 'call':
			return printCall(answer);
		case 'permission':
			return printPermission(answer, hook);
		default:
			return printEnd(answer, hook.name);
	}
}

function printCall(answer: HookDecision): HookOutput {
	const { decision, reason, message, context, endsTurn, stopReason, input, review } = answer;
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

/** The client's own permission prompt. Only what the client suggested becomes a rule. */
function printPermission(decided: HookDecision, { call }: HookAt<'permission'>): HookOutput {
	const { decision, reason, endsTurn, input, rules = [] } = decided;
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

/** At the end of an agent, a turn or a task a denial makes the agent continue; at other points only texts are printed. */
function printEnd({ decision, reason, message, context }: HookDecision, event: string): HookOutput {
	const output = {
		...(decision === 'deny' && { decision: 'block' }),
		...(reason !== undefined && { reason }),
		...(message !== undefined && { systemMessage: message }),
		...(context !== undefined && { hookSpecificOutput: { hookEventName: event, additionalContext: context } }),
	};
	return Object.keys(output).length === 0 ? null : output;
}

function printUnjudged(profile: Profile, reason: string): HookOutput {
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

const MAX_TEXT = 64 * 1024;

/** An empty text is valid: a reviewer may have nothing to say. */
const wordsOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined);

/** Reads printed JSON back into a decision, since older versions recorded verdicts that way. Never throws. */
function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
	const permission = specific.permissionDecision;
	const reason = wordsOf(specific.permissionDecisionReason) ?? wordsOf(output.reason);
	const message = wordsOf(output.systemMessage);
	const context = wordsOf(specific.additionalContext);
	const texts = {
		...(reason !== undefined && { reason }),
		...(message !== undefined && { message }),
		...(context !== undefined && { context }),
	};
	const stops = output.continue === false;
	if (permission === 'deny') return { decision: 'deny', ...texts, ...(stops && { endsTurn: true }) };
	// Contradictory output is ignored.
	if (permission === 'allow' && (stops || output.decision === 'block')) return { decision: 'pass' };
	if (permission === 'allow') {
		const input = isJson(specific.updatedInput) ? { input: specific.updatedInput } : {};
		return { decision: 'allow', ...texts, ...input };
	}
	if (permission === 'ask') return { decision: 'ask', ...texts };
	if (stops) return { decision: 'deny', ...texts, endsTurn: true };
	return { decision: output.decision === 'block' ? 'deny' : 'pass', ...texts };
}

/** Narrows a parsed hook input. `session_id` is required; a missing `hook_event_name` means Stop (seed 004). */
export function readSupervisorInput(fields: Readonly<Record<string, unknown>>): SupervisorInputRead {
	const { session_id: sessionId, hook_event_name: event, tool_name: toolName, tool_use_id: toolUseId } = fields;
	if (typeof sessionId !== 'string' || sessionId === '') return { ok: false, reason: 'session_id is missing' };
	return {
		ok: true,
		input: {
			sessionId,
			event: typeof event === 'string' && event !== '' ? event : 'Stop',
			stopHookActive: fields.stop_hook_active === true,
			...(typeof toolName === 'string' && { toolName }),
			...('tool_input' in fields && { toolInput: fields.tool_input }),
			...(typeof toolUseId === 'string' && { toolUseId }),
		},
	};
}
