/** Text without its case, as long as it was: a place in it is the same place in the text. */
export function foldCase(text: string): string {
	// The one letter whose small form goes by what follows it.
	const lower = text.toLowerCase().replaceAll('ς', 'σ');
	return lower.length === text.length ? lower : Array.from(text, foldCharacter).join('');
}

function foldCharacter(character: string): string {
	const lower = character.toLowerCase();
	return lower.length === character.length ? lower : character;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they end or break what SQLite reads.
const BLANKS = /[\s\u0000-\u001f]+/gu;

/** Whether a text has blanks that are not one plain blank between words: most have none, and looking costs no copy. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const ODD_BLANK = /[^\S ]|[\u0000-\u001f]| {2}/u;

/** Text as it is searched and as a search is read: one blank between words, and letters of one spelling. */
export function plainText(text: string): string {
	const normal = text.normalize('NFC');
	return (ODD_BLANK.test(normal) ? normal.replace(BLANKS, ' ') : normal).trim();
}
