import { printable } from '#lib/text/printable.ts';

/** No real file is nested so deeply; this recursion could go much deeper. */
const MAX_DEPTH = 500;

/** A JSON value, or why there is none, in words for a person. */
export type JsonRead = { ok: true; value: unknown } | { ok: false; problem: string };

function isTooDeep(text: string): boolean {
	let depth = 0;
	let isInString = false;
	for (let index = 0; index < text.length; index += 1) {
		const character = text[index];
		if (isInString) {
			if (character === '\\') index += 1;
			else if (character === '"') isInString = false;
		} else if (character === '"') isInString = true;
		else if (character === '{' || character === '[') {
			depth += 1;
			if (depth > MAX_DEPTH) return true;
		} else if (character === '}' || character === ']') depth -= 1;
	}
	return false;
}

/** Parses the text of a file that is edited in place. An empty text is an empty object. Never throws. */
export function parseJson(text: string): JsonRead {
	if (text.startsWith('\ufeff')) {
		return { ok: false, problem: 'it begins with a byte order mark (BOM); save it as UTF-8 without one' };
	}
	if (text.trim() === '') return { ok: true, value: {} };
	if (isTooDeep(text)) return { ok: false, problem: `it is nested more than ${MAX_DEPTH} levels deep` };
	try {
		return { ok: true, value: JSON.parse(text) };
	} catch (error) {
		const why = printable(error instanceof Error ? error.message : String(error));
		return { ok: false, problem: `it is not valid JSON (${why})` };
	}
}
