/** The index holds pieces of so many characters. */
const PIECE = 3;

/** Behind each text, so that its last characters begin a piece, too. */
export const PAD = '\n\n';

/** A long text is known by so many of its pieces; each is a list to go through. */
const MOST_PIECES = 24;

/** From the shortest search to its longest: how many pieces may begin with it. */
const MOST_BEGUN = 400;

/**
 * What the search index is asked for events that may hold all of these: they hold the same pieces, which need not stand
 * side by side, so a reader looks again. Null where all are shorter than a piece.
 */
export function matchOf(terms: readonly string[]): string | null {
	const pieces = [...new Set(terms.flatMap(piecesOf))];
	return pieces.length === 0 ? null : pieces.slice(0, MOST_PIECES).map(quote).join(' AND ');
}

function piecesOf(term: string): string[] {
	const characters = Array.from(term);
	return characters.slice(PIECE - 1).map((_last, at) => characters.slice(at, at + PIECE).join(''));
}

/** Any of these pieces. */
export const prefixMatch = (pieces: readonly string[]): string => pieces.map(quote).join(' OR ');

/** Which pieces begin with the longest of some short terms: from (inclusive), to (exclusive), and how many are worth asking for. */
export function reachOf(terms: readonly string[]): { start: string; end: string; most: number } {
	const start = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '');
	return { start, end: `${start}\u{10ffff}`, most: MOST_BEGUN };
}

/** Never an operator of the index's own language, whatever it holds. */
const quote = (piece: string) => `"${piece.replaceAll('"', '""')}"`;
