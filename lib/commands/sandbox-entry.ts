/** The program that runs its calling shell once more, in the sandbox and without this call. */
export const ENTRY_PROGRAM = 'enter-sandbox.sh';

const PLAIN = /^[\w./@:+,=%-]$/;
const WORD = String.raw`(?:[\w./@:+,=%-]|\\[^'\n])`;
const ENTRY = new RegExp(String.raw`(?:^|(?<=[\s'";{]))${WORD}+/${ENTRY_PROGRAM.replace('.', '\\.')} ${WORD}+; exit; `);

/**
 * The line for the client's shell that runs `line` in the sandbox: the entry runs the whole shell again inside, including the
 * client's own text around the line, and the first shell ends with its exit code before it reaches the line. If the entry is
 * missing, nothing runs. The line is written unchanged, so that the client's own permission rules recognise its parts. Undefined
 * if a path cannot be written within the quotes that a client puts around the line.
 */
export function sandboxEntry(line: string, program: string, project: string): string | undefined {
	const words = [program, project].map(escaped);
	return words.some((word) => word === undefined) ? undefined : `${words.join(' ')}; exit; ${line}`;
}

/** A text without the first such entry in it; the text itself if there is none. */
export function withoutSandboxEntry(text: string): string {
	return text.replace(ENTRY, '');
}

/** A path as a word that is the same within single quotes around the line. */
function escaped(path: string): string | undefined {
	if (path === '' || /['\p{Cc}]/u.test(path)) return undefined;
	return [...path].map((char) => (PLAIN.test(char) ? char : `\\${char}`)).join('');
}
