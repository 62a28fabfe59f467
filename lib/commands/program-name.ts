import { type Field, isChosenProgram, MARKS } from './shell-field.ts';

export type ProgramName =
	| { known: true; name: string; word: string }
	/** A program chosen by the environment, by a variable with a telling name: `$NODE`. */
	| { known: 'chosen' }
	/** One of the names that match: of file patterns, or of braces. */
	| { known: 'pattern'; names: RegExp }
	| { known: false };

const MAX_STARS = 8;
/** The program of a running process, or an open file: `/proc/self/exe` is the shell itself. */
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

/** Stars are limited: the pattern is compared with short names, and each star is tried at every position. */
function patternOf(name: string): RegExp {
	const parts = name.split(/\ufdd5+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	return parts.length > MAX_STARS ? /^/ : new RegExp(`^${parts.join('.*')}$`, 'is');
}

/** The first of the patterns that one of the possible names matches. */
export function patternInReach(names: RegExp, patterns: readonly string[]): string | undefined {
	return patterns.find((pattern) => names.test(commandName(pattern)));
}

/** The last part of a path: `/bin/rm` and `./rm` run the same program as `rm`. */
export function commandName(word: string): string {
	return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * The first pattern that a command matches (seed 003): one that ends in ":" is a prefix, any other the whole name. Only the last
 * part of a path counts, on both sides. Case is ignored, since some file systems ignore it.
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
