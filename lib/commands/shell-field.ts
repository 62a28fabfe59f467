/**
 * One word of a command as the program would get it. Its text holds a mark for each part that the line alone does not
 * tell; marks are characters that no text has.
 */
export interface Field {
	text: string;
	/** As it is written, for people. */
	raw: string;
}

/** What stands in a field's text for what is not known. */
export const MARKS = {
	/** A value of any words, or of none. */
	anything: '\ufdd0',
	/** A value that is one word. */
	oneWord: '\ufdd1',
	/** The path of a folder. */
	folder: '\ufdd2',
	/** The same, which vanishes where it is empty and stands alone. */
	perhapsFolder: '\ufdd3',
	/** A program that the environment chose. */
	program: '\ufdd4',
	/** Matches names of files. */
	files: '\ufdd5',
} as const;

const MARK = /[\ufdd0-\ufdd5]/;
const EVERY_MARK = /[\ufdd0-\ufdd5]/g;
/** None of its characters is a mark. */
export const withoutMarks = (text: string): string => text.replace(/[\ufdd0-\ufddf]/g, '\ufffd');

/** A value of which nothing is known; `splits` when it may be several words. */
export function unknownField(raw: string, splits: boolean): Field {
	return { raw, text: splits ? MARKS.anything : MARKS.oneWord };
}

/** A word that is exactly this text. */
export function textField(text: string): Field {
	return { raw: text, text: withoutMarks(text) };
}

/** The text of a word that is wholly known, else undefined. */
export function knownText(field: Field | undefined): string | undefined {
	return field && !MARK.test(field.text) ? field.text : undefined;
}

/** How a word begins, as far as that is known. */
export function knownStart({ text }: Field): string {
	return text.split(MARK, 1)[0] ?? '';
}

/** Whether it is a program that the environment chose: `$NODE`. */
export function isChosenProgram({ text }: Field): boolean {
	return text === MARKS.program;
}

/** Whether it is exactly one word, whatever its text: no pattern of file names, and nothing that may split. */
export function isOneWord({ text }: Field): boolean {
	return !/[\ufdd0\ufdd3-\ufdd5]/.test(text);
}

/** Whether it surely names a file and is neither an option nor empty: a known start, or a folder of the environment. */
export function isSurelyPlain(field: Field): boolean {
	return isOneWord(field) && /^[^-+\ufdd1]/.test(field.text);
}

/** Whether it comes to nothing but names of files: none of them begins with a dash where the pattern does not. */
export function isFilePattern({ text }: Field): boolean {
	return /^[\ufdd2\ufdd3]$|^[^-\ufdd0-\ufdd5][^\ufdd0-\ufdd4]*$/.test(text);
}

/** A text for a shell with what is known of these words; what is not known stands as a word without a meaning. */
export function shellText(fields: readonly Field[]): string {
	return fields.map((field) => quoted(knownText(field)) ?? '"$_"').join(' ');
}

/** What is known of a word that a program takes for a command line. */
export function lineText({ text }: Field): string {
	return text.replace(EVERY_MARK, '"$_"');
}

const quoted = (text: string | undefined): string | undefined => text && `'${text.replaceAll("'", "'\\''")}'`;

/** The words as text for people: what is unknown stands as it is written. */
export function shownWords(fields: readonly Field[]): string[] {
	return fields.map((field) => knownText(field) ?? field.raw);
}
