import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { foldCase, hasTerms, saidText } from '#lib/search/said-text.ts';
import type { Database } from './open-database.ts';
import type { SearchableText } from './session-reads.ts';

/** An event that is not in the search index yet: its position, and its text. */
export interface IndexedText {
	pos: number;
	text: string;
}

/** An insert costs 100 µs alone and 15 among a hundred, so texts are collected up to so many characters. */
const ENOUGH = 200_000;
/** How many events one search reads; its answer says where to continue. */
const MOST_READ = 3000;
/** A term shorter than the indexed pieces is first searched in so many of the newest events. */
const NEWEST = 600;
const MARK = 'said';

/** The search index over the texts of events. The caller opens the transactions, and calls `settle` after each. */
export function prepareTextIndex(sqlite: Database) {
	const insert = sqlite.prepare<[number, string]>('INSERT INTO said (rowid, text) VALUES (?, ?)');
	const setMark = sqlite.prepare<[string, string]>(
		'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
	);
	const mark = sqlite.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
	const columns = 'events.pos, events.row_key AS rowKey, events.json';
	const younger = sqlite.prepare<[number, number], Found>(
		`SELECT ${columns} FROM events WHERE pos > ? ORDER BY pos LIMIT ?`,
	);
	const newest = sqlite.prepare<[number], Found>(`SELECT ${columns} FROM events WHERE pos < ? ORDER BY pos DESC`);
	const matching = sqlite.prepare<[string, number], Found>(
		`SELECT ${columns} FROM said JOIN events ON events.pos = said.rowid
		WHERE said MATCH ? AND said.rowid < ? ORDER BY said.rowid DESC`,
	);
	const termsFrom = sqlite
		.prepare<[string, string, number], string>('SELECT term FROM said_terms WHERE term >= ? AND term < ? LIMIT ?')
		.pluck();
	const forget = sqlite.prepare<[string]>(
		'DELETE FROM said WHERE rowid IN (SELECT pos FROM events WHERE session_id = ?)',
	);

	let waiting: IndexedText[] = [];
	let characters = 0;

	function insertTexts(indexed: readonly IndexedText[]) {
		for (const { pos, text } of indexed) if (text !== '') insert.run(pos, foldCase(text) + PAD);
		const last = indexed.at(-1);
		if (last) setMark.run(MARK, String(last.pos));
	}

	function* candidates(terms: readonly string[], before: number): Iterable<Found> {
		if (terms.length === 0) return;
		const match = matchOf(terms);
		if (match !== null) return yield* matching.iterate(match, before);
		let from = before;
		let readCount = 0;
		for (const found of newest.iterate(before)) {
			yield found;
			from = found.pos;
			readCount += 1;
			if (readCount === NEWEST) break;
		}
		if (readCount < NEWEST) return;
		const { start, end, most } = reachOf(terms);
		const known = termsFrom.all(start, end, most + 1);
		// With so many words that begin so, a match is found soon.
		if (known.length > most) yield* newest.iterate(from);
		else if (known.length > 0) yield* matching.iterate(prefixMatch(known), from);
	}

	return {
		/** Writes the collected texts with `added` if there are enough; else false. */
		writeIfEnough(added: readonly IndexedText[]): boolean {
			if (added.reduce((sum, { text }) => sum + text.length, characters) < ENOUGH) return false;
			insertTexts([...waiting, ...added]);
			return true;
		},
		/** After the transaction: what is still collected. */
		noteWritten(added: readonly IndexedText[], isWritten: boolean) {
			waiting = isWritten ? [] : [...waiting, ...added];
			characters = waiting.reduce((sum, { text }) => sum + text.length, 0);
		},
		/** Writes all collected texts; `settle` follows. */
		writeWaiting: () => insertTexts(waiting),
		/** Adds events whose texts an ended process did not write. */
		catchUp(limit: number): boolean {
			const found = younger.all(Number(mark.get(MARK) ?? 0), limit);
			insertTexts(found.map(({ pos, json }) => ({ pos, text: saidText(JSON.parse(json) as IndexedEvent) })));
			return found.length === limit;
		},
		forget: (sessionId: string) => void forget.run(sessionId),
		/** Events that contain every term, newest first, until `take` has enough. Returns where to continue, or null. */
		find(
			terms: readonly string[],
			before: number | undefined,
			take: (candidate: SearchableText) => boolean,
		): number | null {
			let readCount = 0;
			for (const { pos, rowKey, json } of candidates(terms, before ?? Number.MAX_SAFE_INTEGER)) {
				const event = JSON.parse(json) as IndexedEvent;
				const text = saidText(event);
				readCount += 1;
				const isEnough = hasTerms(foldCase(text), terms) && take({ pos, rowKey, event, text });
				if (isEnough || readCount === MOST_READ) return pos;
			}
			return null;
		},
	};
}

interface Found {
	pos: number;
	rowKey: string;
	json: string;
}

/** Length of the indexed pieces, in characters. */
const PIECE = 3;

/** Appended to each text, so that its last characters also begin a piece. */
const PAD = '\n\n';

/** A long term is looked up by so many of its pieces; each is a list to scan. */
const MOST_PIECES = 24;

/** How many pieces may begin with a term, from the shortest search to the longest. */
const MOST_PREFIXED = 400;

/** The index query for events that may contain all terms; callers check the text. Null if all are shorter than a piece. */
function matchOf(terms: readonly string[]): string | null {
	const pieces = [...new Set(terms.flatMap(piecesOf))];
	return pieces.length === 0 ? null : pieces.slice(0, MOST_PIECES).map(quote).join(' AND ');
}

function piecesOf(term: string): string[] {
	const characters = Array.from(term);
	return characters.slice(PIECE - 1).map((_last, at) => characters.slice(at, at + PIECE).join(''));
}

/** Any of these pieces. */
const prefixMatch = (pieces: readonly string[]): string => pieces.map(quote).join(' OR ');

/** The range of pieces that begin with the longest short term, and how many to query. */
function reachOf(terms: readonly string[]): { start: string; end: string; most: number } {
	const start = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '');
	return { start, end: `${start}\u{10ffff}`, most: MOST_PREFIXED };
}

/** Quoted, so that no term is an operator of the index's language. */
const quote = (piece: string) => `"${piece.replaceAll('"', '""')}"`;
