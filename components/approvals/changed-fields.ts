import { english, type Say } from '#lib/messages/say.ts';
import { fieldsOf } from '../ui/text/payload-fields.ts';

/** A field of a call's input that a person has changed; null stands for a field that is not there. */
export interface ChangedField {
	name: string;
	before: string | null;
	after: string | null;
}

/** What an edited input changes, field by field in the order of the original. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
	const [old, now] = [before, after].map((value) => new Map(fieldsOf(value).map(({ name, text }) => [name, text])));
	const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
	return [...names]
		.map((name) => ({ name, before: old?.get(name) ?? null, after: now?.get(name) ?? null }))
		.filter((field) => field.before !== field.after);
}

/** Reads an edited input. The message says what is wrong with it. */
export function readEdited(
	text: string,
	say: Say = english,
): { ok: true; input: Record<string, unknown> } | { ok: false; message: string } {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			return { ok: true, input: value as Record<string, unknown> };
		}
		return { ok: false, message: say('The input of a call is an object: {sample}.', { sample: '{ … }' }) };
	} catch {
		return { ok: false, message: brokenWords(text, say) };
	}
}

function brokenWords(text: string, say: Say): string {
	const before = text.slice(0, jsonBreak(text) ?? 0).split('\n');
	return say(
		'This is no JSON at line {line}, column {column}. Names and texts stand in "double quotes", with a comma between two and none after the last.',
		{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
	);
}

const BLANK = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where a text stops being JSON, as an offset; null for JSON. Engines say it in words of their own, some without a
 * place. Nesting deeper than the stack holds throws, as `JSON.parse` does.
 */
export function jsonBreak(text: string): number | null {
	let at = 0;
	const take = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match) at = pattern.lastIndex;
		return match !== null;
	};
	const sign = (one: string): boolean => {
		take(BLANK);
		const is = text[at] === one;
		if (is) at += 1;
		return is;
	};
	const list = (end: string, member: () => boolean): boolean => {
		if (sign(end)) return true;
		do if (!member()) return false;
		while (sign(','));
		return sign(end);
	};
	const field = () => take(BLANK) && take(STRING) && sign(':') && value();
	const value = (): boolean => {
		if (sign('{')) return list('}', field);
		if (sign('[')) return list(']', value);
		return take(STRING) || take(ATOM);
	};
	if (!value()) return at;
	take(BLANK);
	return at === text.length ? null : at;
}
