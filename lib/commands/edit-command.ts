import { tokenise } from './tokenise.ts';

export interface EditRequest {
	path: string;
	old: string;
	fresh: string;
	all: boolean;
}

export const EDIT_USAGE = 'Usage: edit <path> <old> <new> [--all]';

type EditRead = { ok: true; request: EditRequest } | { ok: false; message: string };

/** Reads the arguments of `edit`. `--all` beside three other words is the option; as one of three it is text. */
export function readEditArguments(text: string): EditRead {
	const read = tokenise(text);
	if (!read.ok) return { ok: false, message: read.error };
	const option = read.tokens.length > 3 ? read.tokens.lastIndexOf('--all') : -1;
	const words = option === -1 ? read.tokens : read.tokens.toSpliced(option, 1);
	const [path = '', old = '', fresh, surplus] = words;
	if (surplus !== undefined) return { ok: false, message: `Unexpected argument: ${surplus}. ${EDIT_USAGE}` };
	if (path === '' || old === '' || fresh === undefined) return { ok: false, message: EDIT_USAGE };
	return { ok: true, request: { path, old, fresh, all: option !== -1 } };
}

/** The text with `old` replaced once, or everywhere; no character is special. */
export function replaceLiterally(text: string, { old, fresh, all }: EditRequest): { text: string; count: number } {
	const first = text.indexOf(old);
	if (first === -1) return { text, count: 0 };
	if (!all) return { text: text.slice(0, first) + fresh + text.slice(first + old.length), count: 1 };
	const pieces = text.split(old);
	return { text: pieces.join(fresh), count: pieces.length - 1 };
}
