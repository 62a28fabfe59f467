import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { saidText } from '#lib/search/said-text.ts';
import { fold } from '#lib/session/fold.ts';
import { emptyView } from '#lib/session/view.ts';
import { reasonOf } from '../../process/failure-words.ts';
import { createCheckpointer } from './checkpointer.ts';
import { drizzle, type Queries } from './drizzle.ts';
import { cursors, epochs, events, ledger, looksLikeDenial, meta, rows, views } from './index-schema.ts';
import type { IndexBatch, IndexStore } from './index-store.ts';
import type { Database } from './open-database.ts';
import { type IndexedText, prepareTextIndex } from './said-index.ts';
import { isUnusable, openSqlite } from './sqlite-file.ts';

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

/**
 * Opens the rebuildable index. A damaged file, one of another format, or of another version is deleted and rebuilt from the
 * timelines, with a new epoch.
 */
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
		if (!isUnusable(unwrap(error)) && !(error instanceof SyntaxError)) {
			throw notOpened(path, error);
		}
		warn?.(`The index ${path} cannot be read (${reasonOf(error)}); it is rebuilt from the timelines.`);
	}
}

/** Drizzle wraps what SQLite threw. */
const unwrap = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause : error);

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
	const read = prepareReads(sqlite, db);
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

type Reads = Pick<
	IndexStore,
	'cursors' | 'knownIds' | 'view' | 'views' | 'row' | 'rowsOf' | 'rows' | 'events' | 'timeOf' | 'denials' | 'ledger'
>;

/** A query with a list of values costs more than so many queries for one. */
const FEW = 8;

/** Orders lines of one instant. */
const ledgerRow = sql<number>`${ledger}.rowid`;

const textAt = (path: string) => sql<string>`json_extract(${events.json}, ${path})`;

/** All reads of the index. Values were checked before they were written. */
function prepareReads(sqlite: Database, db: Queries): Reads {
	// These run for every batch: as the statements of `index-writes.ts`.
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

	const timeAt = sqlite
		.prepare<[string, number], string>("SELECT json_extract(json, '$.ts') FROM events WHERE session_id = ? AND seq = ?")
		.pluck();

	const rowOf = (sessionId: string, key: string): Row | undefined => {
		const found = oneRow.get(sessionId, key);
		return found === undefined ? undefined : (JSON.parse(found) as Row);
	};

	return {
		cursors: () => db.select().from(cursors).all(),
		knownIds(sessionId, ids) {
			if (ids.length > FEW) return new Set(knownIds.all(sessionId, JSON.stringify(ids)));
			return new Set(ids.filter((id) => knownId.get(sessionId, id) !== undefined));
		},
		view(sessionId) {
			const found = db.select().from(views).where(eq(views.sessionId, sessionId)).get();
			return found && (JSON.parse(found.json) as SessionView);
		},
		views: () =>
			db
				.select()
				.from(views)
				.all()
				.map((found) => JSON.parse(found.json) as SessionView),
		row: rowOf,
		rowsOf(sessionId, keys) {
			const found = new Map<string, Row | undefined>(keys.map((key) => [key, undefined]));
			if (keys.length <= FEW) {
				for (const key of keys) found.set(key, rowOf(sessionId, key));
				return found;
			}
			for (const { key, json } of rowsByKey.iterate(sessionId, JSON.stringify(keys)))
				found.set(key, JSON.parse(json) as Row);
			return found;
		},
		rows(sessionId, { before, after, limit }) {
			const forward = after !== undefined && before === undefined;
			const found = db
				.select({ json: rows.json })
				.from(rows)
				.where(
					and(
						eq(rows.sessionId, sessionId),
						before === undefined ? undefined : lt(rows.seq, before),
						after === undefined ? undefined : gt(rows.seq, after),
					),
				)
				.orderBy(forward ? asc(rows.seq) : desc(rows.seq))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as Row);
			return forward ? found : found.reverse();
		},
		events: (sessionId, { after, limit, row }) =>
			db
				.select({ json: events.json })
				.from(events)
				.where(
					and(
						eq(events.sessionId, sessionId),
						gt(events.seq, after),
						row === undefined ? undefined : eq(events.rowKey, row),
					),
				)
				.orderBy(asc(events.seq))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as IndexedEvent),
		timeOf(sessionId, seq) {
			const ts = timeAt.get(sessionId, seq);
			return ts === undefined ? undefined : Date.parse(ts);
		},
		denials: (limit) =>
			db
				.select({ json: events.json })
				.from(events)
				.where(and(looksLikeDenial, eq(textAt('$.type'), 'gate:verdict'), eq(textAt('$.decision'), 'deny')))
				.orderBy(desc(events.pos))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as IndexedEvent),
		ledger({ since, until, before, limit }) {
			const [at, row] = before?.split('-').map(Number) ?? [];
			return db
				.select({ at: ledger.at, row: ledgerRow, json: ledger.json })
				.from(ledger)
				.where(
					and(
						since === undefined ? undefined : gte(ledger.at, Date.parse(since)),
						until === undefined ? undefined : lt(ledger.at, Date.parse(until)),
						at === undefined ? undefined : sql`(${ledger.at}, ${ledgerRow}) < (${at}, ${row})`,
					),
				)
				.orderBy(desc(ledger.at), desc(ledgerRow))
				.limit(limit)
				.all()
				.map((found) => ({ line: JSON.parse(found.json) as LedgerEntry, place: `${found.at}-${found.row}` }));
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
	const rows = new Map<string, Row>();
	let view = emptyView(sessionId);
	for (;;) {
		const page = events(sessionId, { after: view.seq, limit: PAGE });
		for (const event of page) {
			const step = fold(view, event, (key) => rows.get(key));
			for (const row of step.rows) rows.set(row.key, row);
			view = step.view;
		}
		if (page.length < PAGE) return view;
	}
}
