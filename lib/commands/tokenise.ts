const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** The message of every command for an unclosed quote (seed 003). */
export const UNCLOSED_QUOTE = 'Unclosed quote in arguments';

export type Tokens = { ok: true; tokens: string[] } | { ok: false; error: typeof UNCLOSED_QUOTE };

/**
 * Splits a line of the agent shell into words, by seed 003's quoting: blanks and tabs separate words, a newline does not; either
 * quote may contain blanks, and adjacent parts are one word. Inside quotes a backslash escapes n, t, r, itself and that quote;
 * before anything else it is an ordinary character. A quoted empty word is a word. Never throws.
 */
export function tokenise(line: string): Tokens {
	const tokens: string[] = [];
	let word: string | undefined;
	for (let index = 0; index < line.length; index++) {
		const char = line.charAt(index);
		if (char === '"' || char === "'") {
			const quoted = readQuoted(line, index);
			if (!quoted) return { ok: false, error: UNCLOSED_QUOTE };
			word = (word ?? '') + quoted.text;
			index = quoted.end;
		} else if (char === ' ' || char === '\t') {
			if (word !== undefined) tokens.push(word);
			word = undefined;
		} else word = (word ?? '') + char;
	}
	return { ok: true, tokens: word === undefined ? tokens : [...tokens, word] };
}

/** The text between the quote at `start` and the next one, and where it ends; undefined if it does not end. */
function readQuoted(line: string, start: number): { text: string; end: number } | undefined {
	const quote = line.charAt(start);
	let text = '';
	for (let at = start + 1; at < line.length; at++) {
		const char = line.charAt(at);
		if (char === quote) return { text, end: at };
		const escaped = char === '\\' ? escapeOf(line.charAt(at + 1), quote) : undefined;
		text += escaped ?? char;
		if (escaped !== undefined) at += 1;
	}
	return undefined;
}

function escapeOf(char: string, quote: string): string | undefined {
	if (char === quote) return quote;
	return Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
}
