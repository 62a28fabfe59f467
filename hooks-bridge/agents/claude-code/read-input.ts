import { HOME_SESSION, isSafeId } from '#lib/ids/safe-id.ts';
import { holdsMoreThan } from './holds-more-than.ts';
import { isJson, type Json, textOf } from './json.ts';
import { limitDepth } from './limit-depth.ts';

/** One hook input, narrowed as far as every event shares it. */
export interface HookInput {
	/** The event's name: the client's, or guessed where it is missing (seed 000). */
	hook: string;
	sessionId: string;
	/** Present inside a sub-agent, and only there. */
	agentId?: string;
	toolUseId?: string;
	cwd?: string;
	/** Everything that the client sent, at most 64 levels deep. */
	fields: Json;
	/** Something about the input was wrong and is worth a warning. */
	warning?: { code: string; message: string };
}

/** A hook input, or why it is none. */
export type InputRead = { ok: true; input: HookInput } | { ok: false; reason: string };

const DEEPEST = 64;
const MOST_VALUES = 50_000;

function guessHook(fields: Json): string {
	const answered = 'tool_result' in fields || 'tool_response' in fields;
	return textOf(fields.tool_name) && !answered ? 'PreToolUse' : 'Stop';
}

function parse(raw: unknown): unknown {
	return typeof raw === 'string' ? JSON.parse(raw.startsWith('\ufeff') ? raw.slice(1) : raw) : raw;
}

/** Narrows the raw hook input. Total: text that is no JSON object comes back as a reason for a person. */
export function readInput(raw: unknown): InputRead {
	if (typeof raw === 'string' && holdsMoreThan(raw, MOST_VALUES)) {
		return { ok: false, reason: `the hook input holds more than ${MOST_VALUES} values` };
	}
	let value: unknown;
	try {
		value = parse(raw);
	} catch {
		return { ok: false, reason: raw === '' ? 'the hook input is empty' : 'the hook input is not valid JSON' };
	}
	if (!isJson(value)) return { ok: false, reason: 'the hook input is not a JSON object' };
	const limited = limitDepth(value, DEEPEST);
	const fields = limited.value;
	const named = fields.session_id;
	const safe = isSafeId(named);
	const warning =
		!safe && named !== undefined && named !== null && named !== ''
			? { code: 'hook/unsafe-session-id', message: 'The session id may not become a folder name; kept under _home.' }
			: limited.cut
				? { code: 'hook/too-deep', message: `The hook input nests deeper than ${DEEPEST} levels; the rest was cut.` }
				: undefined;
	return {
		ok: true,
		input: {
			hook: textOf(fields.hook_event_name, 128) ?? guessHook(fields),
			sessionId: safe ? named : HOME_SESSION,
			agentId: textOf(fields.agent_id, 128),
			toolUseId: textOf(fields.tool_use_id, 256),
			cwd: textOf(fields.cwd, 4096),
			fields,
			...(warning && { warning }),
		},
	};
}
