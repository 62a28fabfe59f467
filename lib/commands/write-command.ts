export const WRITE_USAGE = 'Usage: write <path> <content>, also write <path> <<TAG ... TAG';

type WriteRead = { ok: true; path: string; content: string } | { ok: false; message: string };

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/**
 * Reads the arguments of `write` (seed 003): a path, quoted or up to the first blank, then everything else as content, in which
 * `\n`, `\t`, `\r` and `\\` are expanded. One pair of quotes around the content is removed. A heredoc with a quoted tag
 * (`<<'END'`) is kept byte for byte.
 */
export function readWriteArguments(text: string): WriteRead {
	const rest = text.trimStart();
	const quote = /^["']/.exec(rest)?.[0];
	const end = quote ? rest.indexOf(quote, 1) : rest.search(/\s/);
	if (quote && end === -1) return { ok: false, message: 'Unclosed quote in file path' };
	const path = quote ? rest.slice(1, end) : rest.slice(0, end === -1 ? undefined : end);
	const given = end === -1 ? '' : rest.slice(quote ? end + 1 : end).trim();
	if (path === '' || given === '') return { ok: false, message: WRITE_USAGE };
	if (/^<<-?\s*["']?\w/.test(given)) return heredoc(path, given);
	const inner = /^(["'])(.*)\1$/s.exec(given);
	return { ok: true, path, content: expand(inner ? (inner[2] ?? '') : given) };
}

function heredoc(path: string, given: string): WriteRead {
	const head = /^<<-?[ \t]*(["']?)(\w+)\1[ \t]*(?:\r?\n|$)/.exec(given);
	const tag = head?.[2] ?? '';
	const lines = given.slice(head?.[0].length ?? 0).split('\n');
	const end = head ? lines.findIndex((line) => line.trim() === tag) : -1;
	if (end === -1) return { ok: false, message: `The heredoc has no end: write its tag ${tag} on a line of its own.` };
	const body = lines.slice(0, end).join('\n');
	const literal = head?.[1] !== '';
	return { ok: true, path, content: literal ? `${body}${end > 0 ? '\n' : ''}` : expand(body.trim()) };
}

function expand(text: string): string {
	return text.replace(/\\([ntr\\])/g, (_whole, char: string) => ESCAPES[char] ?? char);
}
