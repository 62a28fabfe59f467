import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { foldCase, hasTerms, saidText } from '#lib/search/said-text.ts';
import { SessionFold } from '#lib/session/session-fold.ts';
import { reasonOf, rootOf } from '../../process/failure-words.ts';
import { prepareIndexReads } from './index-reads.ts';
import { cursors, epochs, events, ledger, meta, rows, views } from './index-schema.ts';
import type { IndexBatch, IndexStore } from './index-store.ts';
import { createCheckpointer, type Database } from './open-database.ts';
import type { SearchableText } from './session-reads.ts';
import { drizzle, isUnusable, openSqlite, type Queries } from './sqlite-file.ts';

/** Raised with every change of the tables or of the fold's results; an older index is then rebuilt. */
export const INDEX_VERSION = '13';

/** How many texts missing after a crash are added at once. */
const CATCH_UP = 1000;

/** The view of a busy session is written at most this often, since serialising it costs more than a batch. */
const VIEW_FLUSH_MS = 1000;

export interface SqliteIndexOptions {
	/** Called when an index had to be deleted. */
	warn?: (message: string) => void;
	version?: string;
	/** Called with the error of a deferred write, which is retried. */
	onLateFailure?: (error: unknown) => void;
	/** Deletes an existing index. */
	isNew?: boolean;
}

/** Opens the index. A damaged or other file or version is deleted and rebuilt under a new epoch. */
export function openSqliteIndex(path: string, options: SqliteIndexOptions = {}): IndexStore {
	const { version = INDEX_VERSION, isNew = false } = options;
	const store = isNew ? undefined : openFormer(path, version, options);
	if (store) return store;
	for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
	const made = createNew(path, version, options);
	if (!made) throw new Error(`The new index ${path} has no version; delete it and start again.`);
	return made;
}

function createNew(path: string, version: string, options: SqliteIndexOptions): IndexStore | undefined {
	try {
		return createStore(path, version, options);
	} catch (error) {
		throw notOpened(path, error);
	}
}

function notOpened(path: string, error: unknown): Error {
	const words = `The index ${path} cannot be opened: ${reasonOf(error)}.`;
	return new Error(`${words} Mend that, and start again; the timelines have all that it holds.`, { cause: error });
}

/** The existing index; undefined if it cannot be used. */
function openFormer(path: string, version: string, options: SqliteIndexOptions): IndexStore | undefined {
	const { warn } = options;
	try {
		const store = createStore(path, version, options);
		if (!store) warn?.(`The index ${path} is of another version; it is rebuilt from the timelines.`);
		return store;
	} catch (error) {
		if (!isUnusable(rootOf(error)) && !(error instanceof SyntaxError)) {
			throw notOpened(path, error);
		}
		warn?.(`The index ${path} cannot be read (${reasonOf(error)}); it is rebuilt from the timelines.`);
	}
}

function createStore(path: string, version: string, options: SqliteIndexOptions): IndexStore | undefined {
	const sqlite = openSqlite(path, 'NORMAL', 'index');
	try {
		const db = drizzle(sqlite);
		const found = db.select().from(meta).where(eq(meta.key, 'version')).get();
		if (!found || found.value === version) return storeOver(sqlite, db, { ...options, version });
	} catch (error) {
		sqlite.close();
		throw error;
	}
	sqlite.close();
}

function storeOver(
	sqlite: Database,
	db: Queries,
	{ version, onLateFailure }: SqliteIndexOptions & { version: string },
): IndexStore {
	db.insert(meta).values({ key: 'version', value: version }).onConflictDoNothing().run();
	let epoch = db.select().from(meta).where(eq(meta.key, 'epoch')).get()?.value ?? drawEpoch(db);
	const read = { ...prepareTailReads(sqlite), ...prepareIndexReads(sqlite, db) };
	const { writeBatch, saveView, putEpoch } = prepareWrites(sqlite);
	const drawn = new Map(
		db
			.select()
			.from(epochs)
			.all()
			.map((found) => [found.sessionId, found.epoch]),
	);
	// Reads the cursors, so that a damaged index is noticed and rebuilt.
	read.cursors();
	for (const sessionId of sessionsWithOldViews(db)) saveView(refold(sessionId, read.events));
	const textIndex = prepareTextIndex(sqlite);
	const catchUp = sqlite.transaction(() => textIndex.catchUp(CATCH_UP));
	while (catchUp());

	const checkpointer = createCheckpointer(sqlite);
	const dirty = new Map<string, SessionView>();
	/** Cached from the first query for all: they are read every second, and parsing thousands is slow. */
	let held: Map<string, SessionView> | undefined;
	let timer: NodeJS.Timeout | undefined;
	const saveSearchText = sqlite.transaction(textIndex.writeWaiting);
	const saveAll = sqlite.transaction(() => {
		for (const view of dirty.values()) saveView(view);
		textIndex.writeWaiting();
	});
	const flush = () => {
		saveAll();
		dirty.clear();
		textIndex.noteWritten([], true);
	};
	const flushLater = () => {
		timer ??= setTimeout(() => {
			timer = undefined;
			try {
				flush();
			} catch (error) {
				// Locked or full: after a crash the views would only be folded again.
				flushLater();
				onLateFailure?.(error);
			}
		}, VIEW_FLUSH_MS).unref();
	};
	const writeAtOnce = sqlite.transaction((batches: readonly IndexBatch[]) => {
		const born = batches.flatMap(({ sessionId }) => (drawn.has(sessionId) ? [] : [{ sessionId, epoch: randomUUID() }]));
		for (const { sessionId, epoch } of born) putEpoch(sessionId, epoch);
		const added = batches.flatMap(writeBatch);
		return { born, added, isWritten: textIndex.writeIfEnough(added) };
	});
	const forgetAtOnce = sqlite.transaction((sessionId: string) => {
		textIndex.forget(sessionId);
		for (const table of [cursors, epochs, events, ledger, rows, views])
			db.delete(table).where(eq(table.sessionId, sessionId)).run();
		return drawEpoch(db);
	});

	return {
		get epoch() {
			return epoch;
		},
		epochOf: (sessionId) => drawn.get(sessionId),
		...read,
		write(...batches) {
			const { born, added, isWritten } = writeAtOnce(batches);
			for (const { sessionId, epoch } of born) drawn.set(sessionId, epoch);
			textIndex.noteWritten(added, isWritten);
			checkpointer.noteWritten(batches.reduce((sum, batch) => sum + pagesOf(batch), 0));
			for (const { sessionId, view, events: added } of batches) {
				if (added.length === 0) continue;
				dirty.set(sessionId, view);
				held?.set(sessionId, view);
			}
			if (dirty.size > 0) flushLater();
		},
		view: (sessionId) => held?.get(sessionId) ?? dirty.get(sessionId) ?? read.view(sessionId),
		views() {
			held ??= new Map([...read.views(), ...dirty.values()].map((view) => [view.sessionId, view]));
			return [...held.values()];
		},
		find(terms, before, take) {
			saveSearchText();
			textIndex.noteWritten([], true);
			return textIndex.find(terms, before, take);
		},
		forget(sessionId) {
			// Texts may still be unwritten.
			flush();
			epoch = forgetAtOnce(sessionId);
			dirty.delete(sessionId);
			drawn.delete(sessionId);
			held?.delete(sessionId);
		},
		close() {
			clearTimeout(timer);
			try {
				flush();
			} finally {
				checkpointer.stop();
				sqlite.close();
			}
		},
	};
}

/** About how many pages a batch changes: the last of each table and index, and one for each id. */
const pagesOf = ({ events: added, rows: changed }: IndexBatch) => 7 + added.length + changed.length;

/** Seq numbers of another epoch are void. */
function drawEpoch(db: Queries): string {
	const epoch = randomUUID();
	db.insert(meta)
		.values({ key: 'epoch', value: epoch })
		.onConflictDoUpdate({ target: meta.key, set: { value: epoch } })
		.run();
	return epoch;
}

/** Sessions whose last view an ended process did not write. */
function sessionsWithOldViews(db: Queries): string[] {
	const newest = sql`(select max(${events.seq}) from ${events} where ${events.sessionId} = ${cursors.sessionId})`;
	return db
		.select({ sessionId: cursors.sessionId })
		.from(cursors)
		.leftJoin(views, eq(views.sessionId, cursors.sessionId))
		.where(sql`${newest} > coalesce(${views.seq}, 0)`)
		.all()
		.map((found) => found.sessionId);
}

/** A query with a list of values costs more than so many queries for one. */
const FEW = 8;

/** What the tail asks for every batch: as statements, since building such a query costs more than running it. */
function prepareTailReads(sqlite: Database): Pick<IndexStore, 'knownIds' | 'row' | 'rowsOf'> {
	const knownIds = sqlite
		.prepare<[string, string], string>(
			'SELECT id FROM events WHERE session_id = ? AND id IN (SELECT value FROM json_each(?))',
		)
		.pluck();
	const knownId = sqlite
		.prepare<[string, string], string>('SELECT id FROM events WHERE session_id = ? AND id = ?')
		.pluck();
	const oneRow = sqlite
		.prepare<[string, string], string>('SELECT json FROM rows WHERE session_id = ? AND key = ?')
		.pluck();
	const rowsByKey = sqlite.prepare<[string, string], { key: string; json: string }>(
		'SELECT key, json FROM rows WHERE session_id = ? AND key IN (SELECT value FROM json_each(?))',
	);
	const row = (sessionId: string, key: string): Row | undefined => {
		const found = oneRow.get(sessionId, key);
		return found === undefined ? undefined : (JSON.parse(found) as Row);
	};
	return {
		row,
		knownIds(sessionId, ids) {
			if (ids.length > FEW) return new Set(knownIds.all(sessionId, JSON.stringify(ids)));
			return new Set(ids.filter((id) => knownId.get(sessionId, id) !== undefined));
		},
		rowsOf(sessionId, keys) {
			if (keys.length <= FEW) return new Map(keys.map((key) => [key, row(sessionId, key)]));
			const found = new Map<string, Row | undefined>(keys.map((key) => [key, undefined]));
			for (const { key, json } of rowsByKey.iterate(sessionId, JSON.stringify(keys)))
				found.set(key, JSON.parse(json) as Row);
			return found;
		},
	};
}

/** Prepared statements of the tail: they run for every event. The caller opens the transaction. */
function prepareWrites(sqlite: Database) {
	const insertEvent = sqlite.prepare<[string, number, string, string, string]>(
		'INSERT INTO events (session_id, seq, id, row_key, json) VALUES (?, ?, ?, ?, ?)',
	);
	const putRow = sqlite.prepare<[string, string, number, string]>(
		`INSERT INTO rows (session_id, key, seq, json) VALUES (?, ?, ?, ?)
		ON CONFLICT (session_id, key) DO UPDATE SET seq = excluded.seq, json = excluded.json`,
	);
	const putLine = sqlite.prepare<[string, string, number, string]>(
		`INSERT INTO ledger (session_id, key, at, json) VALUES (?, ?, ?, ?)
		ON CONFLICT (session_id, key) DO UPDATE SET at = excluded.at, json = excluded.json`,
	);
	const putView = sqlite.prepare<[string, number, string]>(
		`INSERT INTO views (session_id, seq, json) VALUES (?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, json = excluded.json`,
	);
	const putCursor = sqlite.prepare<[string, number, number, number, string]>(
		`INSERT INTO cursors (session_id, device, inode, "offset", tail_digest) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET
			device = excluded.device, inode = excluded.inode, "offset" = excluded."offset", tail_digest = excluded.tail_digest`,
	);

	const putEpoch = sqlite.prepare<[string, string]>('INSERT INTO epochs (session_id, epoch) VALUES (?, ?)');

	return {
		putEpoch: (sessionId: string, epoch: string) => void putEpoch.run(sessionId, epoch),
		/** Returns the texts of the events, for the search index. */
		writeBatch({ sessionId, cursor, events, rows, ledger }: IndexBatch): IndexedText[] {
			const sayings = events.map(({ event, rowKey }) => {
				const { lastInsertRowid } = insertEvent.run(sessionId, event.seq, event.id, rowKey, JSON.stringify(event));
				return { pos: Number(lastInsertRowid), text: saidText(event) };
			});
			for (const row of rows) putRow.run(sessionId, row.key, row.seq, JSON.stringify(row));
			for (const line of ledger) putLine.run(sessionId, line.rowKey, Date.parse(line.at), JSON.stringify(line));
			putCursor.run(sessionId, cursor.device, cursor.inode, cursor.offset, cursor.tailDigest);
			return sayings;
		},
		saveView(view: SessionView) {
			putView.run(view.sessionId, view.seq, JSON.stringify(view));
		},
	};
}

const PAGE = 1000;

/** Folds a session's events again from the first, since its rows are newer than its view. */
function refold(sessionId: string, events: IndexStore['events']): SessionView {
	const session = new SessionFold(sessionId);
	for (;;) {
		const page = events(sessionId, { after: session.view.seq, limit: PAGE });
		for (const event of page) session.add(event);
		if (page.length < PAGE) return session.view;
	}
}

/** An event that is not in the search index yet: its position, and its text. */
interface IndexedText {
	pos: number;
	text: string;
}

/** An insert costs 100 µs alone and 15 among a hundred, so texts are collected up to so many characters. */
const ENOUGH = 200_000;
/** How many events one search reads; its answer says where to continue. */
const MAX_READ = 3000;
/** A term shorter than the indexed pieces is first searched in so many of the newest events. */
const NEWEST_ROWS = 600;
const MARK = 'said';

/** The search index over the texts of events. The caller opens the transactions, and calls `settle` after each. */
function prepareTextIndex(sqlite: Database) {
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
			if (readCount === NEWEST_ROWS) break;
		}
		if (readCount < NEWEST_ROWS) return;
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
				if (isEnough || readCount === MAX_READ) return pos;
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
const MAX_PIECES = 24;

/** How many pieces may begin with a term, from the shortest search to the longest. */
const MAX_PREFIXED = 400;

/** The index query for events that may contain all terms; callers check the text. Null if all are shorter than a piece. */
function matchOf(terms: readonly string[]): string | null {
	const pieces = [...new Set(terms.flatMap(piecesOf))];
	return pieces.length === 0 ? null : pieces.slice(0, MAX_PIECES).map(quote).join(' AND ');
}

function piecesOf(term: string): string[] {
	const characters = Array.from(term);
	return characters.slice(PIECE - 1).map((_last, index) => characters.slice(index, index + PIECE).join(''));
}

/** Any of these pieces. */
const prefixMatch = (pieces: readonly string[]): string => pieces.map(quote).join(' OR ');

/** The range of pieces that begin with the longest short term, and how many to query. */
function reachOf(terms: readonly string[]): { start: string; end: string; most: number } {
	const start = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '');
	return { start, end: `${start}\u{10ffff}`, most: MAX_PREFIXED };
}

/** Quoted, so that no term is an operator of the index's language. */
const quote = (piece: string) => `"${piece.replaceAll('"', '""')}"`;
