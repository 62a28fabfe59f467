import type { HookHead, HookPoint, Moment, StartedAgent } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import { HOME_SESSION, isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { flagOf, isJson, type Json, numberOf, textOf } from '#lib/json/json.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

type ParsedInput =
	| { ok: true; fields: Json; warning?: { code: string; message: string } }
	| { ok: false; reason: string };

/** Parses a hook input, text or object, within the bounds for every client. Never throws. */
export function parseInput(raw: unknown): ParsedInput {
	if (typeof raw === 'string' && holdsMoreThan(raw, MAX_VALUES)) {
		return { ok: false, reason: `the hook input holds more than ${MAX_VALUES} values` };
	}
	let value: unknown = raw;
	try {
		if (typeof raw === 'string') value = JSON.parse(raw.startsWith('\ufeff') ? raw.slice(1) : raw);
	} catch {
		return { ok: false, reason: raw === '' ? 'the hook input is empty' : 'the hook input is not valid JSON' };
	}
	if (!isJson(value)) return { ok: false, reason: 'the hook input is not a JSON object' };
	if (!nestsDeeper(value, MAX_DEPTH)) return { ok: true, fields: value };
	const message = `The hook input nests deeper than ${MAX_DEPTH} levels; the rest was cut.`;
	return { ok: true, fields: cutBelow(value, MAX_DEPTH) as Json, warning: { code: 'hook/too-deep', message } };
}

/**
 * Whether JSON text holds more than `most` values, by its commas outside strings. Parsing megabytes of small keys would take
 * seconds, while every other hook waits. Deep nesting is cheap here and is cut afterwards.
 */
export function holdsMoreThan(json: string, max: number): boolean {
	// Each further value takes at least a comma and one character.
	if (json.length < max * 2) return false;
	let values = 1;
	let quoted = false;
	for (let index = 0; index < json.length; index++) {
		const code = json.charCodeAt(index);
		if (quoted) {
			if (code === BACKSLASH) index++;
			else if (code === QUOTE) quoted = false;
		} else if (code === QUOTE) quoted = true;
		else if (code === COMMA && ++values > max) return true;
	}
	return false;
}

/** Whether objects nest deeper than `levels`; recurses no deeper than that. */
function nestsDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const item of Array.isArray(value) ? value : Object.values(value))
		if (nestsDeeper(item, levels - 1)) return true;
	return false;
}

/** A copy without what is nested deeper than `levels`. */
function cutBelow(value: unknown, levels: number): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return '(cut: nested too deep)';
	if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1));
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutBelow(item, levels - 1)]));
}

/** The head of a hook: who, where, and which call. An id that is unsafe as a folder's name is stored under `_home`. */
export function readHead(agent: string, name: string, fields: Json, inputWarning: HookHead['warning']): HookHead {
	const id = fields.session_id;
	const isSafe = isSafeId(id);
	const isUnsafe = !isSafe && id !== undefined && id !== null && id !== '';
	const warning = isUnsafe
		? { code: 'hook/unsafe-session-id', message: 'The session id may not become a folder name; kept under _home.' }
		: inputWarning;
	return {
		agent,
		name,
		sessionId: isSafe ? id : HOME_SESSION,
		agentId: keyIdOf(fields.agent_id, 'agent'),
		toolUseId: keyIdOf(fields.tool_use_id, 'call'),
		cwd: textOf(fields.cwd, 4096),
		// A sub-agent names its own transcript, which is found from the session's.
		...(fields.agent_id === undefined && { transcript: textOf(fields.transcript_path, 4096) }),
		raw: fields,
		...(warning && { warning }),
	};
}

const MAX_PROMPT = 100_000;
const MAX_MESSAGE = 64 * 1024;

/** How one client's calls are read. */
export interface CallReaders {
	readCall(tool: string, input: unknown): ToolCall;
	/** The agent that the result of its call says was started. */
	startedAgent?: ((fields: Json) => StartedAgent) | undefined;
}

/** What a hook says at a point, by the field names that most clients share; a call without a tool's name is read as `other`. */
export function readMoment(at: HookPoint, fields: Json, readers: CallReaders): Moment {
	const agentType = textOf(fields.agent_type, 200);
	switch (at) {
		case 'session-start':
			return { at, source: textOf(fields.source, 64), model: textOf(fields.model, 128) };
		case 'session-end':
			return { at, reason: textOf(fields.reason, 200) };
		case 'compact':
			return { at, trigger: textOf(fields.trigger, 64) };
		case 'prompt': {
			const { prompt = null } = fields;
			const text = textOf(prompt, MAX_PROMPT) ?? '';
			return { at, prompt, text, promptId: textOf(fields.prompt_id, 128), byClient: false };
		}
		case 'call':
		case 'permission':
		case 'result':
		case 'failure':
			return readToolMoment(at, fields, readers);
		case 'batch':
			return { at, toolUseIds: idsOf(fields.tool_calls) };
		case 'agent-start':
			return { at, agentType };
		case 'agent-end':
			return { at, agentType, message: fields.last_assistant_message };
		case 'turn-end':
			return { at, message: textOf(fields.last_assistant_message, MAX_MESSAGE), running: null };
		case 'turn-failure':
			return { at, agentType, error: textOf(fields.error, 1000) };
		case 'notice':
			return { at, message: textOf(fields.message, 2000) ?? '', notice: textOf(fields.notification_type, 64) };
		case 'message': {
			const { displayed_text: text = null, is_final: isFinal } = fields;
			return { at, text, messageId: textOf(fields.message_id, 128), isFinal: isFinal === true };
		}
		case 'interrupt':
			return { at };
		case 'task-end': {
			const taskId = textOf(fields.task_id);
			return taskId === undefined ? { at: 'other' } : { at, taskId, subject: textOf(fields.task_subject) };
		}
		case 'other':
			return { at };
	}
}

function readToolMoment(
	at: 'call' | 'permission' | 'result' | 'failure',
	fields: Json,
	{ readCall, startedAgent }: CallReaders,
): Moment {
	const tool = textOf(fields.tool_name, 200);
	if (tool === undefined) return { at: 'other' };
	const call = readCall(tool, fields.tool_input ?? null);
	const durationMs = numberOf(fields.duration_ms);
	switch (at) {
		case 'call':
			return { at, call };
		case 'permission':
			return { at, call, suggestions: [] };
		case 'result': {
			const response = fields.tool_response ?? null;
			const started = call.deed.does === 'start-agent' ? startedAgent?.(fields) : undefined;
			return started ? { at, call, response, started } : { at, call, response, durationMs };
		}
		case 'failure':
			return { at, call, error: fields.error ?? null, interrupt: flagOf(fields.is_interrupt), durationMs };
	}
}

function idsOf(calls: unknown): string[] {
	const ids = (Array.isArray(calls) ? calls : []).filter(isJson).map((call) => call.tool_use_id);
	return ids.flatMap((id) => keyIdOf(id, 'call') ?? []);
}
