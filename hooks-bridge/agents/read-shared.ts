import type { AgentHook, HookHead, HookPoint, HookRead, Moment } from '#lib/agents/agent-hook.ts';
import type { AgentRow } from '#lib/agents/agent-table.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import { HOME_SESSION, isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { flagOf, isJson, type Json, numberOf, textOf } from '#lib/json/json.ts';

const MAX_PROMPT = 100_000;
const MAX_MESSAGE = 64 * 1024;

/** How to read a client's hooks, as far as they differ from the field names that most clients share. */
interface Dialect {
	row: AgentRow;
	readCall(tool: string, input: unknown): ToolCall;
	/** Maps a hook to the shared field names; absent if the client uses them. */
	share?(raw: Json): Json;
	/** Corrects what the shared reader gets wrong for this client; null if it is right. */
	differ?(fields: Json, point: HookPoint): Moment | null;
}

/** The head of a hook: who, where, and which call. An id that is unsafe as a folder's name is stored under `_home`. */
export function readHead(agent: string, name: string, fields: Json, warned: HookHead['warning']): HookHead {
	const id = fields.session_id;
	const isSafe = isSafeId(id);
	const isOdd = !isSafe && id !== undefined && id !== null && id !== '';
	const warning = isOdd
		? { code: 'hook/unsafe-session-id', message: 'The session id may not become a folder name; kept under _home.' }
		: warned;
	return {
		agent,
		name,
		sessionId: isSafe ? id : HOME_SESSION,
		agentId: keyIdOf(fields.agent_id, 'agent'),
		toolUseId: keyIdOf(fields.tool_use_id, 'call'),
		cwd: textOf(fields.cwd, 4096),
		// A sub-agent may name a transcript of its own, but the session's leads to it.
		...(fields.agent_id === undefined && { transcript: textOf(fields.transcript_path, 4096) }),
		raw: fields,
		...(warning && { warning }),
	};
}

/** Returns the function that reads one hook input of a client, text or object. Never throws. */
export function hookReader({ row, readCall, share, differ }: Dialect): (raw: unknown) => HookRead {
	const points = new Map(Object.entries(row.events).map(([point, name]) => [name, point as HookPoint] as const));
	return (raw) => {
		const parsed = parseInput(raw);
		if (!parsed.ok) return parsed;
		const fields = share ? share(parsed.fields) : parsed.fields;
		const name = textOf(fields.hook_event_name, 128) ?? 'unnamed';
		const point = points.get(name) ?? 'other';
		const head = { ...readHead(row.name, name, fields, parsed.warning), raw: parsed.fields };
		const hook: AgentHook = { ...head, ...(differ?.(fields, point) ?? momentOf(point, fields, readCall)) };
		return { ok: true, hook };
	};
}

function momentOf(at: HookPoint, fields: Json, readCall: Dialect['readCall']): Moment {
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
			return {
				at,
				prompt,
				text: textOf(prompt, MAX_PROMPT) ?? '',
				promptId: textOf(fields.prompt_id, 128),
				byClient: false,
			};
		}
		case 'call':
		case 'permission':
		case 'result':
		case 'failure':
			return toolMoment(at, fields, readCall);
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
		case 'message':
			return {
				at,
				text: fields.displayed_text ?? null,
				messageId: textOf(fields.message_id, 128),
				isFinal: fields.is_final === true,
			};
		case 'interrupt':
			return { at };
		case 'task-end':
		case 'other':
			return { at: 'other' };
	}
}

function toolMoment(
	at: 'call' | 'permission' | 'result' | 'failure',
	fields: Json,
	readCall: Dialect['readCall'],
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
		case 'result':
			return { at, call, response: fields.tool_response ?? null, durationMs };
		case 'failure':
			return { at, call, error: fields.error ?? null, interrupt: flagOf(fields.is_interrupt), durationMs };
	}
}

function idsOf(calls: unknown): string[] {
	const ids = (Array.isArray(calls) ? calls : []).filter(isJson).map((call) => call.tool_use_id);
	return ids.flatMap((id) => keyIdOf(id, 'call') ?? []);
}

/** The fields that no event's envelope holds. */
export function restReader(inEnvelope: readonly string[]): (raw: Json) => Json {
	return (raw) => Object.fromEntries(Object.entries(raw).filter(([key]) => !inEnvelope.includes(key)));
}

const DEEPEST = 64;
const MOST_VALUES = 50_000;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** The fields of a hook input, or why it cannot be read. */
type ParsedInput =
	| { ok: true; fields: Json; warning?: { code: string; message: string } }
	| { ok: false; reason: string };

/** Parses a hook input, text or object, within the bounds for every client. Never throws. */
export function parseInput(raw: unknown): ParsedInput {
	if (typeof raw === 'string' && holdsMoreThan(raw, MOST_VALUES)) {
		return { ok: false, reason: `the hook input holds more than ${MOST_VALUES} values` };
	}
	let value: unknown = raw;
	try {
		if (typeof raw === 'string') value = JSON.parse(raw.startsWith('\ufeff') ? raw.slice(1) : raw);
	} catch {
		return { ok: false, reason: raw === '' ? 'the hook input is empty' : 'the hook input is not valid JSON' };
	}
	if (!isJson(value)) return { ok: false, reason: 'the hook input is not a JSON object' };
	const limited = limitDepth(value, DEEPEST);
	if (!limited.cut) return { ok: true, fields: limited.value };
	const message = `The hook input nests deeper than ${DEEPEST} levels; the rest was cut.`;
	return { ok: true, fields: limited.value, warning: { code: 'hook/too-deep', message } };
}

/**
 * Whether JSON text holds more than `most` values, estimated without parsing it: a few megabytes of small keys take seconds to
 * parse, copy and digest, while every other hook waits. Counts commas outside strings: deep nesting alone is cheap, and is cut
 * afterwards.
 */
export function holdsMoreThan(json: string, most: number): boolean {
	// Each further value takes at least a comma and one character.
	if (json.length < most * 2) return false;
	let values = 1;
	let quoted = false;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (quoted) {
			if (code === BACKSLASH) at++;
			else if (code === QUOTE) quoted = false;
		} else if (code === QUOTE) quoted = true;
		else if (code === COMMA && ++values > most) return true;
	}
	return false;
}

/** A copy of a JSON object without what is deeper than `levels`, and whether something was cut. */
function limitDepth(value: Json, levels: number): { value: Json; cut: boolean } {
	if (!isDeeper(value, levels)) return { value, cut: false };
	const copy = (at: unknown, left: number): unknown => {
		if (typeof at !== 'object' || at === null) return at;
		if (left === 0) return '(cut: nested too deep)';
		if (Array.isArray(at)) return at.map((item) => copy(item, left - 1));
		return Object.fromEntries(Object.entries(at).map(([key, item]) => [key, copy(item, left - 1)]));
	};
	const limited = copy(value, levels);
	return { value: isJson(limited) ? limited : {}, cut: true };
}

/** Whether objects nest deeper than `levels`; recurses no deeper than that. */
function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(item, levels - 1)) return true;
	return false;
}
