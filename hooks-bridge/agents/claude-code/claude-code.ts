import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import type { AgentHook, HookAt, HookHead, HookRead, Moment } from '#lib/agents/agent-hook.ts';
import { agentRow, deedKindsOf, hookPointsOf } from '#lib/agents/agent-table.ts';
import { runsScript } from '#lib/agents/recorded-event.ts';
import type { Deed, Replacement, RequestedAgent, SkillFiles, ToolCall } from '#lib/agents/tool-call.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { defined, flagOf, isJson, type Json, parsedObject, textOf } from '#lib/json/json.ts';
import type { SupervisorInputRead } from '#lib/supervisor/supervisor-input.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import type { Profile } from '../../ports/hook-run.ts';
import type { AbortLine, AgentAdapter } from '../agent-adapter.ts';
import { parseInput, readHead, readMoment } from '../read-hook.ts';
import { countOf, nameOf, timeOf } from '../transcript-line.ts';

const row = agentRow('claude-code');
const points = hookPointsOf(row);
const kinds = deedKindsOf(row);
const MAX_TEXT = 64 * 1024;
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
	 * `<client folder>/projects/<project>/<session>.jsonl`, sub-agents in `<session>/subagents/agent-<id>.jsonl`. The path comes
	 * from the agent, and CLAUDE_CONFIG_DIR may put the folder anywhere, so only the shape is checked.
	 */
	transcripts: {
		folderOf(path, sessionId) {
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

function readHook(raw: unknown): HookRead {
	const parsed = parseInput(raw);
	if (!parsed.ok) return parsed;
	const { fields } = parsed;
	const name = textOf(fields.hook_event_name, 128) ?? guessEvent(fields);
	const head = {
		...readHead(row.name, name, fields, parsed.warning),
		transcript: textOf(fields.transcript_path, 4096),
	};
	return { ok: true, hook: { ...head, ...readOwnMoment(head) } };
}

/** Seed 000: an input without an event's name is a call if it names a tool and has no result, else a Stop. */
function guessEvent(fields: Json): string {
	const isAnswered = 'tool_result' in fields || 'tool_response' in fields;
	return textOf(fields.tool_name) && !isAnswered ? 'PreToolUse' : 'Stop';
}

/** The moment by the shared field names, with what only this client's hooks say. */
function readOwnMoment({ name, raw, sessionId, agentId }: HookHead): Moment {
	const own = (tool: string, input: unknown) => readCall(tool, input, raw);
	const moment = readMoment(points.get(name) ?? 'other', raw, { readCall: own });
	switch (moment.at) {
		case 'session-start':
			return { ...moment, version: textOf(raw.version, 64) };
		case 'prompt':
			// The client writes this prompt itself, when a background agent has ended.
			return { ...moment, byClient: moment.text.trimStart().startsWith('<task-notification>') };
		case 'permission':
			return { ...moment, suggestions: Array.isArray(raw.permission_suggestions) ? raw.permission_suggestions : [] };
		case 'result':
			return readResult(moment, raw);
		case 'agent-start':
			return { ...moment, metaFile: metaFileOf(raw, sessionId, agentId) };
		case 'turn-end':
			return { ...moment, running: runningSubagents(raw.background_tasks) };
		case 'turn-failure':
			return { ...moment, message: textOf(raw.last_assistant_message, 1000) };
		case 'message':
			return { ...moment, text: raw.delta ?? null, isFinal: raw.final === true };
		default:
			return moment;
	}
}

function readResult(moment: Extract<Moment, { at: 'result' }>, { tool_result }: Json): Moment {
	const { deed } = moment.call;
	const response = moment.response ?? tool_result ?? null;
	const { agentId, status, stderr } = isJson(response) ? response : {};
	const isStart = deed.does === 'start-agent' && !deed.by && isJson(response);
	const started = isStart && { agentId: keyIdOf(agentId, 'agent'), background: status === 'async_launched' };
	return { ...moment, response, stderr: typeof stderr === 'string' ? stderr : undefined, ...(started && { started }) };
}

const OVER: readonly unknown[] = ['completed', 'failed', 'killed', 'stopped', 'cancelled'];

/** Sub-agents that continue in the background; null if the client lists none. */
function runningSubagents(listed: unknown): string[] | null {
	if (!Array.isArray(listed)) return null;
	return listed.flatMap((task) =>
		isJson(task) && task.type === 'subagent' && !OVER.includes(task.status) ? [keyIdOf(task.id, 'agent') ?? ''] : [],
	);
}

/** The client records in this file which call started an agent; the order of starts proves nothing. */
function metaFileOf({ transcript_path: path }: Json, sessionId: string, agentId?: string): string | undefined {
	const transcript = textOf(path, 4096);
	if (!transcript || !isAbsolute(transcript) || !isSafeId(agentId)) return undefined;
	return join(dirname(transcript), sessionId, 'subagents', `agent-${agentId}.meta.json`);
}

/**
 * What a tool call of this client does. Never throws: unreadable parts are left out. `raw` (the whole input) leads to personal
 * skills.
 */
export function readCall(tool: string, input: unknown, raw: Json = {}): ToolCall {
	return { tool, input, deed: deedOf(tool, isJson(input) ? input : {}, raw) };
}

function deedOf(tool: string, input: Json, raw: Json): Deed {
	const kind = kinds.get(tool);
	switch (kind) {
		case 'run-command': {
			const leaves = input.dangerouslyDisableSandbox === true;
			return { does: kind, line: commandLine(input), ...(leaves && { leavesSandbox: true }) };
		}
		case 'run-shell':
			return { does: kind, line: commandLine(input) };
		case 'edit-file':
			return editOf(input);
		case 'start-agent':
			// A script's call names none of its agents.
			if (runsScript(tool)) return { does: kind, requestedAgent: { type: null }, by: 'script' };
			return { does: kind, requestedAgent: askedAgent(input) };
		case 'use-skill':
			return { does: kind, files: skillFiles(input.skill, raw) };
		case 'update-todos':
			return Array.isArray(input.todos) ? { does: kind, todos: input.todos } : { does: 'other' };
		case 'complete-task':
			return input.status === 'completed' && typeof input.taskId === 'string'
				? { does: kind, id: input.taskId }
				: { does: 'other' };
		case 'ask-person':
		case 'enter-plan-mode':
		case 'show-plan':
			return { does: kind };
		case 'other':
		case undefined:
			return { does: 'other' };
	}
}

/** A command that is not a text is not harmless: its line is null. */
const commandLine = ({ command }: Json): string | null => (typeof command === 'string' ? command : null);

function editOf(input: Json): Deed {
	const path = [input.file_path, input.notebook_path].find((one) => typeof one === 'string' && one !== '');
	const edits = (Array.isArray(input.edits) ? input.edits : [input]).filter(isJson).flatMap(replacementOf);
	return {
		does: 'edit-file',
		path: typeof path === 'string' ? path : null,
		...(typeof input.content === 'string' ? { text: input.content } : edits.length > 0 && { edits }),
	};
}

function replacementOf({ old_string: from, new_string: to, replace_all: all }: Json): Replacement[] {
	return typeof from === 'string' && from !== '' && typeof to === 'string' ? [{ from, to, all: all === true }] : [];
}

function askedAgent(input: Json): RequestedAgent {
	return {
		type: typeof input.subagent_type === 'string' ? input.subagent_type : null,
		description: textOf(input.description, 500),
		prompt: textOf(input.prompt, MAX_TEXT),
		background: flagOf(input.run_in_background),
		parentTaskId: textOf(input.parent_task_id, 200),
	};
}

/** Names that lead to one file; `:` separates folders. */
const SKILL_NAME = /^[\w-][\w.-]*(?::[\w-][\w.-]*)*$/;

/** The project's file before the person's, as a skill or as a command. */
function skillFiles(skill: unknown, { transcript_path: transcript }: Json): SkillFiles {
	const name = textOf(skill, 200)?.trim().replace(/^\//, '') ?? '';
	if (!SKILL_NAME.test(name)) return { project: [], machine: [] };
	const path = name.replaceAll(':', '/');
	const files = [`skills/${path}/SKILL.md`, `commands/${path}.md`];
	const below = (folder: string) => files.map((file) => `${folder}/${file}`);
	// The transcript is at `<the client's folder>/projects/<project>/<session>.jsonl`.
	const machine = typeof transcript === 'string' ? below(dirname(dirname(dirname(transcript)))) : [];
	return { project: below('.claude'), machine };
}

/**
 * Fields that the client itself adds or drops between the hooks before and after a call (seen in 2.1.112 to 2.1.330). No gate
 * judges them.
 */
const OF_THE_CLIENT: Readonly<Record<string, readonly string[]>> = {
	// The answer of its person, a host or a hook.
	AskUserQuestion: ['answers', 'annotations'],
	// The plan is a file, and its person may edit it in the dialog.
	ExitPlanMode: ['plan', 'planFilePath'],
	// The second hook gets the recipient in another form.
	SendMessage: ['type', 'recipient', 'recipient_kind', 'content'],
	// In the terminal agents are always in the background.
	Agent: ['run_in_background'],
	Task: ['run_in_background'],
};
/** Only the hook before a call receives the whole path. */
const PATHS: readonly string[] = ['file_path', 'notebook_path'];
const OF_A_HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/** A call's input without what the client itself changes: equal before and after the call, unless something else changed it. */
function runInput(tool: string, input: unknown, cwd: string | undefined): unknown {
	if (!isJson(input)) return input;
	const left = leftOut(tool, input);
	const paths = PATHS.filter((name) => typeof input[name] === 'string');
	if (paths.length === 0 && !left.some((name) => Object.hasOwn(input, name))) return input;
	const kept = Object.entries(input).filter(([name]) => !left.includes(name));
	const whole = paths.map((name) => [name, wholePath(String(input[name]), cwd)] as const);
	return { ...Object.fromEntries(kept), ...Object.fromEntries(whole) };
}

function leftOut(tool: string, { command }: Json): readonly string[] {
	// The client's dialog shows the result of sed on a file, and writes exactly that.
	if (tool === 'Bash') return typeof command === 'string' && /^\s*sed\s/.test(command) ? ['_simulatedSedEdit'] : [];
	return Object.hasOwn(OF_THE_CLIENT, tool) ? (OF_THE_CLIENT[tool] ?? []) : [];
}

/** A path as the client would open it; the home, which only the client knows, is written `~`. */
function wholePath(path: string, cwd: string | undefined): string {
	const text = path.trim().normalize('NFC');
	if (text === '~' || text.startsWith('~/')) return normalize(text);
	const at = isAbsolute(text) || cwd === undefined ? normalize(text) : resolve(cwd, text);
	return at.replace(OF_A_HOME, '~');
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

/** The client asks its person about these tools even if a hook allows them, unless the hook returns an input. */
const NEEDS_INPUT_BACK: readonly string[] = ['ExitPlanMode'];

function printDecision(answer: HookDecision | null, hook: AgentHook): Json | null {
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

function printCall(answer: HookDecision): Json | null {
	const { decision, reason, message, context, endsTurn, stopReason, input, review } = answer;
	const shown = message !== undefined && { systemMessage: message };
	const specific = {
		hookEventName: 'PreToolUse',
		...(decision !== 'pass' && { permissionDecision: decision }),
		...(decision !== 'pass' && reason !== undefined && { permissionDecisionReason: reason }),
		...(input && { updatedInput: input }),
		...(context !== undefined && { additionalContext: context }),
	};
	const output = { ...shown, hookSpecificOutput: specific };
	if (review || decision === 'ask') return output;
	if (decision === 'pass') return context === undefined && !input ? shown || null : output;
	if (decision === 'allow') return { continue: true, ...output };
	const ending = endsTurn && { continue: false, ...(stopReason !== undefined && { stopReason }) };
	return { ...ending, suppressOutput: false, ...output };
}

/** The client's own permission prompt. Only what the client suggested becomes a rule. */
function printPermission(decided: HookDecision, { call }: HookAt<'permission'>): Json | null {
	const { decision, reason, endsTurn, input, rules = [] } = decided;
	if (decision === 'pass' || decision === 'ask') return null;
	const print = (answer: Json) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: answer } });
	if (decision === 'deny') return print({ behavior: 'deny', message: reason, ...(endsTurn && { interrupt: true }) });
	const updatedInput = input ?? (NEEDS_INPUT_BACK.includes(call.tool) && isJson(call.input) ? call.input : undefined);
	const updatedPermissions = rules.length > 0 ? rules : undefined;
	return print({ behavior: 'allow', ...defined({ updatedInput, updatedPermissions }) });
}

/** At the end of an agent, a turn or a task a denial makes the agent continue; at other points only texts are printed. */
function printEnd({ decision, reason, message, context }: HookDecision, event: string): Json | null {
	const output = {
		...(decision === 'deny' && { decision: 'block' }),
		...(reason !== undefined && { reason }),
		...(message !== undefined && { systemMessage: message }),
		...(context !== undefined && { hookSpecificOutput: { hookEventName: event, additionalContext: context } }),
	};
	return Object.keys(output).length === 0 ? null : output;
}

function printUnjudged(profile: Profile, reason: string): Json | null {
	const message = `Signalbox: ${reason}`;
	if (profile === 'open') return { continue: true, systemMessage: message };
	if (profile !== 'closed') return null;
	const denial = { permissionDecision: 'deny', permissionDecisionReason: message };
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...denial } };
}

/** An empty text is valid: a reviewer may have nothing to say. */
const wordsOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined);

function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
	const permission = specific.permissionDecision;
	const texts = defined({
		reason: wordsOf(specific.permissionDecisionReason) ?? wordsOf(output.reason),
		message: wordsOf(output.systemMessage),
		context: wordsOf(specific.additionalContext),
	});
	const stops = output.continue === false;
	if (permission === 'deny') return { decision: 'deny', ...texts, ...(stops && { endsTurn: true }) };
	// Contradictory output is ignored.
	if (permission === 'allow' && (stops || output.decision === 'block')) return { decision: 'pass' };
	const input = isJson(specific.updatedInput) ? specific.updatedInput : undefined;
	if (permission === 'allow') return { decision: 'allow', ...texts, ...(input && { input }) };
	if (permission === 'ask') return { decision: 'ask', ...texts };
	if (stops) return { decision: 'deny', ...texts, endsTurn: true };
	return { decision: output.decision === 'block' ? 'deny' : 'pass', ...texts };
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
 * The model's answer in a transcript line (seen in 2.1.112 and 2.1.330), null for other lines. An answer has a line for each of
 * its parts, each with the token counts so far. Never throws.
 */
function readAnswer(line: string): AnswerLine | null {
	const fields = parsedObject(line);
	const message = fields?.type === 'assistant' ? fields.message : undefined;
	if (!fields || !isJson(message) || !isJson(message.usage)) return null;
	const messageId = nameOf(message.id);
	const model = nameOf(message.model);
	// The client writes some messages itself, such as errors: no model was paid for them.
	if (messageId === undefined || model === undefined || model === '<synthetic>') return null;
	const counts = countsOf(message.usage);
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = counts;
	if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0) return null;
	const call = defined({ requestId: nameOf(fields.requestId), at: timeOf(fields.timestamp) });
	const by = defined({ agentId: nameOf(fields.agentId), askedBy: nameOf(fields.requestSessionId) });
	return { answer: { messageId, model, ...call, ...counts }, isWhole: typeof message.stop_reason === 'string', ...by };
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

/** A call of a tool as this client would pass it to a hook, for callers that ask the gates in its place. */
export function writeCall(call: {
	sessionId: string;
	cwd: string;
	tool: string;
	toolUseId: string;
	input: Readonly<Record<string, unknown>>;
}): string {
	return JSON.stringify({
		hook_event_name: 'PreToolUse',
		session_id: call.sessionId,
		cwd: call.cwd,
		tool_name: call.tool,
		tool_use_id: call.toolUseId,
		tool_input: call.input,
	});
}
