/**
 * One word of a command as the program would get it. Its text has a mark for each part that the line alone does not determine;
 * marks are characters that no text contains.
 */
export interface Field {
	text: string;
	/** As written, for people. */
	raw: string;
}

/** Marks for unknown parts of a field's text. */
export const MARKS = {
	/** Any number of words, or none. */
	anything: '\ufdd0',
	/** Exactly one word. */
	oneWord: '\ufdd1',
	/** The path of a folder. */
	folder: '\ufdd2',
	/** The path of a folder, or no word at all if the variable is empty. */
	perhapsFolder: '\ufdd3',
	/** A program chosen by the environment. */
	program: '\ufdd4',
	/** Matches names of files. */
	files: '\ufdd5',
} as const;

const MARK = /[\ufdd0-\ufdd5]/;
const EVERY_MARK = /[\ufdd0-\ufdd5]/g;
/** Whether a text contains no mark. */
export const withoutMarks = (text: string): string => text.replace(/[\ufdd0-\ufddf]/g, '\ufffd');

/** A value about which nothing is known; `splits` if it may be several words. */
export function unknownField(raw: string, splits: boolean): Field {
	return { raw, text: splits ? MARKS.anything : MARKS.oneWord };
}

/** A word that is exactly this text. */
export function textField(text: string): Field {
	return { raw: text, text: withoutMarks(text) };
}

/** The text of a completely known word, else undefined. */
export function knownText(field: Field | undefined): string | undefined {
	return field && !MARK.test(field.text) ? field.text : undefined;
}

/** The known beginning of a word. */
export function knownStart({ text }: Field): string {
	return text.split(MARK, 1)[0] ?? '';
}

/** Whether it is a program chosen by the environment: `$NODE`. */
export function isChosenProgram({ text }: Field): boolean {
	return text === MARKS.program;
}

/** Whether it is exactly one word: no file pattern, and nothing that may split, however it reads. */
export function isOneWord({ text }: Field): boolean {
	return !/[\ufdd0\ufdd3-\ufdd5]/.test(text);
}

/** Whether it surely names a file and is neither an option nor empty: a known beginning, or a folder from the environment. */
export function isSurelyPlain(field: Field): boolean {
	return isOneWord(field) && /^[^-+\ufdd1]/.test(field.text);
}

/** Whether it expands only to names of files: none of them begins with a dash if the pattern does not. */
export function isFilePattern({ text }: Field): boolean {
	return /^[\ufdd2\ufdd3]$|^[^-\ufdd0-\ufdd5][^\ufdd0-\ufdd4]*$/.test(text);
}

/** A text for a shell, made of these words; unknown parts become plain words. */
export function shellText(fields: readonly Field[]): string {
	return fields.map((field) => quoted(knownText(field)) ?? '"$_"').join(' ');
}

/** The known text of a word that a program uses as a command line. */
export function lineText({ text }: Field): string {
	return text.replace(EVERY_MARK, '"$_"');
}

const quoted = (text: string | undefined): string | undefined => text && `'${text.replaceAll("'", "'\\''")}'`;

/** The words as text for people: unknown ones as written. */
export function shownWords(fields: readonly Field[]): string[] {
	return fields.map((field) => knownText(field) ?? field.raw);
}
