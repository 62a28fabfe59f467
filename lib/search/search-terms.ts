/** Same length as the text, so that places agree. */
export function foldCase(text: string): string {
	// Its small form depends on what follows.
	const lower = text.toLowerCase().replaceAll('ς', 'σ');
	return lower.length === text.length ? lower : Array.from(text, foldCharacter).join('');
}

function foldCharacter(character: string): string {
	const lower = character.toLowerCase();
	return lower.length === character.length ? lower : character;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they end or break what SQLite reads.
const BLANKS = /[\s\u0000-\u001f]+/gu;

/** Most texts have none, and looking costs no copy. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const ODD_BLANK = /[^\S ]|[\u0000-\u001f]| {2}/u;

/** One blank between words, letters in one spelling. */
export function plainText(text: string): string {
	const normal = text.normalize('NFC');
	return (ODD_BLANK.test(normal) ? normal.replace(BLANKS, ' ') : normal).trim();
}

/**
 * The pieces that a text must contain. Double quotes hold one piece, an open one to the end; nothing is an operator.
 */
export function searchTerms(typed: string): string[] {
	const terms = [...plainText(typed).matchAll(/"(?<quoted>[^"]*)"?|(?<word>[^\s"]+)/gu)]
		.map(({ groups }) => foldCase((groups?.quoted ?? groups?.word ?? '').trim()))
		.filter((term) => term !== '');
	return [...new Set(terms)];
}

export function hasTerms(folded: string, terms: readonly string[]): boolean {
	return terms.every((term) => folded.includes(term));
}

interface Excerpt {
	text: string;
	marks: [from: number, to: number][];
}

const LEAD = 60;
const MOST_MARKS = 20;

/** At most `max` characters, beginning a little before the first of `terms`. */
export function excerptOf(source: string, terms: readonly string[], max = 240): Excerpt {
	const folded = foldCase(source);
	const first = Math.min(...terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0), source.length);
	const from = source.length <= max ? 0 : startOf(source, Math.max(0, Math.min(first - LEAD, source.length - max)));
	const to = startOf(source, Math.min(source.length, from + max));
	const head = from > 0 ? '…' : '';
	const text = `${head}${source.slice(from, to)}${to < source.length ? '…' : ''}`;
	const shown = folded.slice(from, to);
	const found = terms.flatMap((term) => placesOf(term, shown));
	return { text, marks: joined(found).map(([start, end]) => [start + head.length, end + head.length]) };
}

/** Not between the halves of a character. */
const startOf = (text: string, at: number) => (/[\udc00-\udfff]/u.test(text.charAt(at)) ? at - 1 : at);

function placesOf(term: string, text: string): [number, number][] {
	const places: [number, number][] = [];
	for (let at = text.indexOf(term); at >= 0 && places.length < MOST_MARKS; at = text.indexOf(term, at + term.length))
		places.push([at, at + term.length]);
	return places;
}

function joined(places: [number, number][]): [number, number][] {
	const marks: [number, number][] = [];
	for (const [from, to] of places.sort((a, b) => a[0] - b[0])) {
		const last = marks.at(-1);
		if (last && from <= last[1]) last[1] = Math.max(last[1], to);
		else marks.push([from, to]);
	}
	return marks;
}
