import { tokenise } from './tokenise.ts';

/** A file to show: `offset` lines are skipped, `limit` lines are shown, 0 for all. */
export interface ReadRequest {
	path: string;
	offset: number;
	limit: number;
}

export const READ_USAGE = 'Usage: read <path> [--offset N] [--limit N]';

type ReadRead = { ok: true; request: ReadRequest } | { ok: false; message: string };

/** Reads the arguments of `read`; `defaultLimit` is the limit if none is given. */
export function readReadArguments(text: string, defaultLimit: number): ReadRead {
	const read = tokenise(text);
	if (!read.ok) return { ok: false, message: read.error };
	const request = { path: '', offset: 0, limit: defaultLimit };
	const { tokens } = read;
	for (let index = 0; index < tokens.length; index++) {
		const token = tokens[index] ?? '';
		if (token === '--offset' || token === '--limit') {
			const value = tokens[++index];
			if (value === undefined) return { ok: false, message: `${token} requires a number argument` };
			if (!/^\d{1,15}$/.test(value)) return { ok: false, message: `${token} must be a non-negative number` };
			request[token === '--offset' ? 'offset' : 'limit'] = Number(value);
		} else if (request.path === '' && token !== '') request.path = token;
		else return { ok: false, message: `Unexpected argument: ${token}` };
	}
	return request.path === '' ? { ok: false, message: READ_USAGE } : { ok: true, request };
}

/**
 * Lines in the form of `cat -n`: the number right-aligned in six columns, a tab, the line. `offset` and `limit` count lines,
 * numbers are those of the file. A final line break begins no further line.
 */
export function numberedLines(text: string, { offset, limit }: Pick<ReadRequest, 'offset' | 'limit'>): string {
	if (text === '') return '';
	const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
	return lines
		.slice(offset, limit === 0 ? undefined : offset + limit)
		.map((line, index) => `${String(offset + index + 1).padStart(6)}\t${line}\n`)
		.join('');
}
