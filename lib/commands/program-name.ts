import { commandName, matchingPattern } from './restriction-pattern.ts';
import { type Field, isChosenProgram, knownText, type Piece } from './shell-field.ts';

/** Which program a word names. */
export type ProgramName =
	| { known: true; name: string; word: string }
	/** A program that the environment chose, by a name that says which: `$NODE`. */
	| { known: 'chosen' }
	/** One of the files that match. */
	| { known: 'pattern'; pieces: readonly Piece[] }
	| { known: false };

/** The program that a command's first word names: the last part of its path, if that much is known. */
export function programName(field: Field): ProgramName {
	const { pieces } = field;
	if (isChosenProgram(field)) return { known: 'chosen' };
	const last = pieces.findLastIndex((piece) => piece.kind === 'text' && piece.text.includes('/'));
	const after = pieces.slice(last + 1);
	const before = pieces.slice(0, last + 1);
	if (after.some(isUnknown) || before.some((piece) => isUnknown(piece) && piece.splits)) return { known: false };
	const slash = pieces[last];
	const start = slash?.kind === 'text' ? commandName(slash.text) : '';
	if (after.every((piece) => piece.kind === 'text')) {
		// zsh starts `=rm` as rm.
		const name = (start + after.map((piece) => piece.text).join('')).replace(/^=/, '');
		return { known: true, name, word: knownText(field)?.replace(/^=/, '') ?? name };
	}
	return { known: 'pattern', pieces: [{ kind: 'text', text: start }, ...after] };
}

const isUnknown = (piece: Piece): piece is Extract<Piece, { kind: 'unknown' }> => piece.kind === 'unknown';

/** The first of the patterns that a program could meet whose name matches these pieces. */
export function patternInReach(pieces: readonly Piece[], patterns: readonly string[]): string | undefined {
	return patterns.find((pattern) => {
		const wanted = commandName(pattern).toLowerCase();
		return wanted !== '' && couldBe(pieces, wanted, wanted.endsWith(':'));
	});
}

/**
 * Whether a pattern of file names matches a name, or with `isStart` one that starts so. The time is the product of both
 * lengths.
 */
export function couldBe(pieces: readonly Piece[], name: string, isStart = false): boolean {
	let places = new Set([0]);
	for (const piece of pieces) {
		const next = new Set<number>();
		for (const at of places) {
			if (isStart && at === name.length) return true;
			for (const end of endsOf(piece, name, at, isStart)) next.add(end);
		}
		places = next;
	}
	return places.has(name.length);
}

function endsOf(piece: Piece, name: string, at: number, isStart: boolean): number[] {
	if (piece.kind === 'text') {
		const text = piece.text.toLowerCase();
		if (name.startsWith(text, at)) return [at + text.length];
		return isStart && text.startsWith(name.slice(at)) ? [name.length] : [];
	}
	if (piece.kind === 'glob' && piece.glob === 'one') return at < name.length ? [at + 1] : [];
	return Array.from({ length: name.length - at + 1 }, (_, more) => at + more);
}

/** As `matchingPattern`, for a word that may be only partly known. */
export function patternOf(program: ProgramName, patterns: readonly string[]): string | undefined {
	if (program.known === true) return matchingPattern(program.word, patterns);
	return program.known === 'pattern' ? patternInReach(program.pieces, patterns) : undefined;
}
