import { isJson, type Json } from '#lib/json/json.ts';
import { holdsMoreThan } from './holds-more-than.ts';
import { limitDepth } from './limit-depth.ts';

const DEEPEST = 64;
const MOST_VALUES = 50_000;

/** The fields of a hook input, or why it is none. */
export type ParsedInput =
	| { ok: true; fields: Json; warning?: { code: string; message: string } }
	| { ok: false; reason: string };

/** Parses a hook input, text or object, within the bounds that hold for every agent. Total. */
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
