import { type Field, isChosenProgram, MARKS } from './shell-field.ts';

/** Which program a word names. */
export type ProgramName =
	| { known: true; name: string; word: string }
	/** A program that the environment chose, by a name that says which: `$NODE`. */
	| { known: 'chosen' }
	/** One of the names that match: files, or what braces make. */
	| { known: 'pattern'; names: RegExp }
	| { known: false };

const MAX_STARS = 8;
/** The program of a process that runs, or a file that is open: `/proc/self/exe` is the shell itself. */
const RUNNING = /^\/+dev\/|\/(?:exe|\d+|[\da-f]+-[\da-f]+)$/;

/** The program that a command's first word names: the last part of its path, if that much is known. */
export function programName(field: Field): ProgramName {
	if (isChosenProgram(field)) return { known: 'chosen' };
	const { text } = field;
	const name = commandName(text);
	const folder = text.slice(0, text.length - name.length);
	if (/[\ufdd0\ufdd3\ufdd4]/.test(folder) || /[\ufdd0-\ufdd4]/.test(name)) return { known: false };
	if (folder !== '' && RUNNING.test(text)) return { known: false };
	if (name.includes(MARKS.files)) return { known: 'pattern', names: patternOf(name) };
	// zsh starts `=rm` as rm.
	return {
		known: true,
		name: name.replace(/^=/, ''),
		word: (folder.includes(MARKS.files) ? name : text).replace(/^=/, ''),
	};
}

/** Few stars are enough: the names that it is compared with are short, and each star is tried at each of their places. */
function patternOf(name: string): RegExp {
	const parts = name.split(/\ufdd5+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	return parts.length > MAX_STARS ? /^/ : new RegExp(`^${parts.join('.*')}$`, 'is');
}

/** The first of the patterns that a program could meet. */
export function patternInReach(names: RegExp, patterns: readonly string[]): string | undefined {
	return patterns.find((pattern) => names.test(commandName(pattern)));
}

/** The last part of a path: `/bin/rm` and `./rm` run the same program as `rm`. */
export function commandName(word: string): string {
	return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * The first pattern that a command meets (seed 003): one that ends in ":" is a prefix, any other the whole name. Of a
 * path only the last part counts, on both sides. Capitals count as small letters, since some file systems do not tell
 * them apart.
 */
export function matchingPattern(word: string, patterns: readonly string[]): string | undefined {
	const whole = word.toLowerCase();
	const names = [whole, commandName(whole)];
	return patterns.find((pattern) => {
		const wanted = commandName(pattern).toLowerCase();
		if (wanted === '') return false;
		return names.some((name) => (wanted.endsWith(':') ? name.startsWith(wanted) : name === wanted));
	});
}
