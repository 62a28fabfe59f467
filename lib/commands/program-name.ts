import { commandName } from './restriction-pattern.ts';
import { type Field, isChosenProgram, knownText, type Piece } from './shell-field.ts';

const MAX_PARTS = 8;

/** Which program a word names. */
export type ProgramName =
	| { known: true; name: string; word: string }
	/** A program that the environment chose, by a name that says which: `$NODE`. */
	| { known: 'chosen' }
	/** One of the names that match: files, or what braces make. */
	| { known: 'pattern'; names: RegExp }
	| { known: false };

/** The program that a command's first word names: the last part of its path, if that much is known. */
export function programName(field: Field): ProgramName {
	const { pieces } = field;
	if (isChosenProgram(field)) return { known: 'chosen' };
	const last = pieces.findLastIndex((piece) => piece.kind === 'text' && piece.text.includes('/'));
	const after = pieces.slice(last + 1);
	const before = pieces.slice(0, last + 1);
	const slash = pieces[last];
	const start = slash?.kind === 'text' ? commandName(slash.text) : '';
	const isKnown = before.every((piece) => piece.kind !== 'unknown' || !piece.splits);
	if (!isKnown || after.some(({ kind }) => kind === 'unknown')) return { known: false };
	if (!after.every((piece) => piece.kind === 'text')) return { known: 'pattern', names: patternOf(start, after) };
	// zsh starts `=rm` as rm.
	const name = (start + after.map((piece) => piece.text).join('')).replace(/^=/, '');
	return { known: true, name, word: knownText(field)?.replace(/^=/, '') ?? name };
}

/** Few stars are enough: the names that it is compared with are short, and each star is tried at each of their places. */
function patternOf(start: string, pieces: readonly Piece[]): RegExp {
	const parts = pieces.map((piece) => (piece.kind === 'text' ? escaped(piece.text) : '.*'));
	const source = parts.length > MAX_PARTS ? '.*' : parts.join('').replace(/(?:\.\*)+/g, '.*');
	return new RegExp(`^${escaped(start)}${source}$`, 'is');
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The first of the patterns that a program could meet. */
export function patternInReach(names: RegExp, patterns: readonly string[]): string | undefined {
	return patterns.find((pattern) => names.test(commandName(pattern)));
}
