/** A part of a word after expansion. */
export type Piece =
	| { kind: 'text'; text: string }
	/** Matches names of files: `*`, `?`, or one character of a set. */
	| { kind: 'glob'; glob: 'any' | 'one' }
	/** A value that the line alone does not tell. `splits`: it may be several words, or none. */
	| { kind: 'unknown'; splits: boolean; isPath: boolean; isProgram?: true };

/** One word of a command as the program would get it. */
export interface Field {
	pieces: readonly Piece[];
	/** As it is written, for people. */
	raw: string;
}

/** A value of which nothing is known; `splits` when it may be several words. */
export function unknownField(raw: string, splits: boolean): Field {
	return { raw, pieces: [{ kind: 'unknown', splits, isPath: false }] };
}

/** A word that is exactly this text. */
export function textField(text: string): Field {
	return { raw: text, pieces: [{ kind: 'text', text }] };
}

/** The text of a word that is wholly known, else undefined. */
export function knownText(field: Field | undefined): string | undefined {
	if (!field) return undefined;
	let text = '';
	for (const piece of field.pieces) {
		if (piece.kind !== 'text') return undefined;
		text += piece.text;
	}
	return text;
}

/** How a word begins, as far as that is known. */
export function knownStart(field: Field): string {
	const [first] = field.pieces;
	return first?.kind === 'text' ? first.text : '';
}

/** Whether it is a program that the environment chose: `$NODE`. */
export function isChosenProgram({ pieces }: Field): boolean {
	return pieces.length === 1 && pieces[0]?.kind === 'unknown' && pieces[0].isProgram === true;
}

/** Whether it is exactly one word, whatever its text: no pattern of file names, and nothing that may split. */
export function isOneWord(field: Field): boolean {
	return field.pieces.every((piece) => piece.kind === 'text' || (piece.kind === 'unknown' && !piece.splits));
}

/** Whether it surely names a file and is neither an option nor empty: a known start, or a folder of the environment. */
export function isSurelyPlain(field: Field): boolean {
	const [first] = field.pieces;
	if (!isOneWord(field) || !first) return false;
	return first.kind === 'text'
		? !/^[-+]/.test(first.text) && first.text !== ''
		: first.kind === 'unknown' && first.isPath;
}

/** A text for a shell with what is known of these words; what is not known stands as a word without a meaning. */
export function shellText(fields: readonly Field[]): string {
	return fields.map((field) => quoted(knownText(field)) ?? '"$_"').join(' ');
}

/** What is known of a word that a program takes for a command line. */
export function lineText({ pieces }: Field): string {
	return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '"$_"')).join('');
}

const quoted = (text: string | undefined): string | undefined => text && `'${text.replaceAll("'", "'\\''")}'`;

/** The words as text for people: what is unknown stands as it is written. */
export function shownWords(fields: readonly Field[]): string[] {
	return fields.map((field) => knownText(field) ?? field.raw);
}
