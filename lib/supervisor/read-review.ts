import { jsonrepair } from 'jsonrepair';
import { isSafeId } from '../ids/safe-id.ts';
import type { SupervisorResult } from './supervisor-input.ts';

/** What a reviewer wrote, understood, or why it is refused. */
export type ReviewRead = { ok: true; result: SupervisorResult } | { ok: false; reason: string };

const FENCED = /```[\w-]*[ \t]*\r?\n(?<body>[\s\S]*?)```/g;
/** A verdict is short: repairing is quadratic in places, and a long text is none. */
const MAX_TEXT = 256 * 1024;

/**
 * Reads `{allow_stop, feedback}` from a reviewer's words: strictly first, then repaired, else refused. Looks at the
 * last fenced block, then at the whole text where it is an object, then strictly at what stands between the outermost
 * braces. Both fields must be there with their types: nothing is ever guessed into an approval.
 */
export function readReview(text: string): ReviewRead {
	if (text.trim() === '') return { ok: false, reason: 'the reviewer said nothing' };
	if (text.length > MAX_TEXT) return { ok: false, reason: 'the reviewer said too much' };
	const whole = text.trim();
	const fenced = [...whole.matchAll(FENCED)].at(-1)?.groups?.body?.trim();
	const candidates = [fenced, whole.startsWith('{') ? whole : undefined].filter((part) => part !== undefined);
	const braces = whole.slice(whole.indexOf('{'), whole.lastIndexOf('}') + 1);
	for (const candidate of [...candidates, braces]) {
		const result = resultOf(candidate, JSON.parse);
		if (result) return { ok: true, result };
	}
	for (const candidate of candidates) {
		const result = resultOf(candidate, (damaged) => JSON.parse(jsonrepair(damaged)));
		if (result) return { ok: true, result };
	}
	return { ok: false, reason: 'the reviewer gave no verdict that can be read' };
}

function resultOf(text: string, parse: (text: string) => unknown): SupervisorResult | null {
	try {
		const value = parse(text);
		if (typeof value !== 'object' || value === null) return null;
		const { allow_stop, feedback } = value as Partial<SupervisorResult>;
		return typeof allow_stop === 'boolean' && typeof feedback === 'string' ? { allow_stop, feedback } : null;
	} catch {
		return null;
	}
}

/**
 * The reviewer's last words, and the session that it said them in, from what `claude --output-format json` printed: its `result`, unless the client itself
 * calls it an error.
 */
export function readReviewerOutput(
	stdout: string,
): { ok: true; text: string; sessionId?: string } | { ok: false; reason: string } {
	try {
		const value: unknown = JSON.parse(stdout);
		// With `--verbose` in a person's own settings the client prints all messages as a list.
		const last: unknown = Array.isArray(value) ? value.at(-1) : value;
		if (typeof last !== 'object' || last === null) return { ok: false, reason: 'the reviewer printed no result' };
		const { result, is_error: isError, subtype, session_id: sessionId } = last as Record<string, unknown>;
		if (typeof result !== 'string') {
			const how = typeof subtype === 'string' && subtype !== '' ? ` (${subtype})` : '';
			return { ok: false, reason: `the reviewer ended without a result${how}` };
		}
		if (isError === true) return { ok: false, reason: `the reviewer failed: ${result}` };
		return { ok: true, text: result, ...(isSafeId(sessionId) && { sessionId }) };
	} catch {
		return {
			ok: false,
			reason: stdout.trim() === '' ? 'the reviewer printed nothing' : 'the reviewer printed no JSON',
		};
	}
}
