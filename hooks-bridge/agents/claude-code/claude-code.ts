import { basename, dirname, join } from 'node:path';
import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, type Json, parsedObject } from '#lib/json/json.ts';
import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import type { Profile } from '../../ports/ports.ts';
import type { AbortLine, AgentAdapter } from '../agent-adapter.ts';
import { countOf, nameOf, timeOf } from '../transcript-line.ts';
import { readCall, readHook, runInput } from './read-hook.ts';

const IN_ENVELOPE = new Set(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id']);

/** Claude Code, run with 2.1.112 to 2.1.330. */
export const claudeCode: AgentAdapter = {
	read: readHook,
	readCall,
	runInput,
	restOf: (raw: Json) => Object.fromEntries(Object.entries(raw).filter(([key]) => !IN_ENVELOPE.has(key))),
	callOfAgent: (metaFile) => keyIdOf(parsedObject(metaFile)?.toolUseId, 'call'),
	print: printDecision,
	printUnjudged,
	readReviewed: readSupervisorInput,
	readPrinted,
	/**
	 * `<the client's folder>/projects/<project>/<session>.jsonl`, and beside it `<session>/subagents/agent-<id>.jsonl`. The client's
	 * folder may be anywhere (CLAUDE_CONFIG_DIR) and its path comes from the agent, so only the shape can be checked.
	 */
	transcripts: {
		placeOf(path, sessionId) {
			const root = dirname(dirname(path));
			const isItsOwn = basename(path) === `${sessionId}.jsonl` && basename(root) === 'projects';
			if (!isItsOwn) return null;
			return { root, main: path, agents: { folder: join(dirname(path), sessionId, 'subagents') } };
		},
		agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
		hint: '"assistant"',
		readAnswer,
		aborts: { hint: '"user-rejected"', read: readStop },
	},
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

/** As 2.1.330 records a call that its person ends by Esc or SIGINT: no hook reports it. */
function readStop(line: string): AbortLine | null {
	const { type, toolDenialKind, message, timestamp } = parsedObject(line) ?? {};
	if (type !== 'user' || toolDenialKind !== 'user-rejected' || !isJson(message)) return null;
	const results = Array.isArray(message.content) ? message.content.filter(isJson) : [];
	const toolUseId = nameOf(results.find((one) => one.type === 'tool_result')?.tool_use_id);
	const at = timeOf(timestamp);
	return toolUseId === undefined || at === undefined ? null : { id: toolUseId, toolUseId, at };
}

const OF_AGENT = /^agent-([\w-]{1,120})\.jsonl$/;

/**
 * Reads a line of the client's transcript if it describes a model's answer (observed on 2.1.112 and 2.1.330): one line for each
 * part of an answer, each with the counts of the whole so far. Null for any other line; never throws.
 */
function readAnswer(line: string): AnswerLine | null {
	const fields = parsedObject(line);
	const message = fields?.type === 'assistant' ? fields.message : undefined;
	if (!fields || !isJson(message) || !isJson(message.usage)) return null;
	const messageId = nameOf(message.id);
	const model = nameOf(message.model);
	// The client writes some messages itself, such as errors: no model was paid for them.
	if (messageId === undefined || model === undefined || model === '<synthetic>') return null;
	const requestId = nameOf(fields.requestId);
	const at = timeOf(fields.timestamp);
	const askedBy = nameOf(fields.requestSessionId);
	const agentId = nameOf(fields.agentId);
	const answer = { messageId, model, ...(requestId && { requestId }), ...(at && { at }), ...countsOf(message.usage) };
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = answer;
	if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0) return null;
	const isWhole = typeof message.stop_reason === 'string';
	return { answer, isWhole, ...(agentId && { agentId }), ...(askedBy && { askedBy }) };
}

function countsOf(usage: Json) {
	const written = isJson(usage.cache_creation) ? usage.cache_creation : {};
	const served = isJson(usage.server_tool_use) ? usage.server_tool_use : {};
	return {
		inputTokens: countOf(usage.input_tokens),
		outputTokens: countOf(usage.output_tokens),
		cacheReadTokens: countOf(usage.cache_read_input_tokens),
		cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
		cacheHourTokens: countOf(written.ephemeral_1h_input_tokens),
		webSearches: countOf(served.web_search_requests),
		...(usage.speed === 'fast' && { fast: true as const }),
		...(usage.inference_geo === 'us' && { usOnly: true as const }),
	};
}
