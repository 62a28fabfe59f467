import type { HookHead } from '#lib/agents/agent-hook.ts';
import { HOME_SESSION, isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, type Json, textOf } from '#lib/json/json.ts';

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
