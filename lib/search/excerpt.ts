import { foldCase } from './fold-case.ts';

/** Part of a text around what was found, and where in it the pieces stand: from (inclusive), to (exclusive). */
export interface Excerpt {
	text: string;
	marks: [from: number, to: number][];
}

/** So much stands before the first piece. */
const LEAD = 60;
const MOST_MARKS = 20;

/** What a reader sees of a long text: at most `max` characters, beginning a little before the first of `terms`. */
export function excerptOf(said: string, terms: readonly string[], max = 240): Excerpt {
	const folded = foldCase(said);
	const first = Math.min(...terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0), said.length);
	const from = said.length <= max ? 0 : startOf(said, Math.max(0, Math.min(first - LEAD, said.length - max)));
	const to = startOf(said, Math.min(said.length, from + max));
	const head = from > 0 ? '…' : '';
	const text = `${head}${said.slice(from, to)}${to < said.length ? '…' : ''}`;
	const shown = folded.slice(from, to);
	const found = terms.flatMap((term) => placesOf(term, shown));
	return { text, marks: joined(found).map(([start, end]) => [start + head.length, end + head.length]) };
}

/** Not between the halves of one character. */
const startOf = (text: string, at: number) => (/[\udc00-\udfff]/u.test(text.charAt(at)) ? at - 1 : at);

function placesOf(term: string, text: string): [number, number][] {
	const places: [number, number][] = [];
	for (let at = text.indexOf(term); at >= 0 && places.length < MOST_MARKS; at = text.indexOf(term, at + term.length))
		places.push([at, at + term.length]);
	return places;
}

/** Ascending, and those that touch as one. */
function joined(places: [number, number][]): [number, number][] {
	const marks: [number, number][] = [];
	for (const [from, to] of places.sort((a, b) => a[0] - b[0])) {
		const last = marks.at(-1);
		if (last && from <= last[1]) last[1] = Math.max(last[1], to);
		else marks.push([from, to]);
	}
	return marks;
}
