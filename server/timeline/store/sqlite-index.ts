import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import type { SessionView } from '#lib/session/view.ts';
import { reasonOf } from '../../process/failure-words.ts';
import { createCheckpointer } from './checkpointer.ts';
import { drizzle, type Queries } from './drizzle.ts';
import { prepareReads } from './index-reads.ts';
import { cursors, epochs, events, ledger, meta, rows, views } from './index-schema.ts';
import type { IndexBatch, IndexStore } from './index-store.ts';
import { prepareWrites } from './index-writes.ts';
import type { Database } from './open-database.ts';
import { refold } from './refold.ts';
import { prepareTextIndex } from './said-index.ts';
import { isUnusable, openSqlite } from './sqlite-file.ts';

/** Raised with every change of the tables or of what the fold puts into them; an older index is then rebuilt. */
export const INDEX_VERSION = '12';

/** Texts that a crash left out of the search index are taken in so many at a time. */
const CATCH_UP = 1000;

/** A view of a busy session is written at most this often; serialising it at every batch would cost more than the batch. */
const VIEW_FLUSH_MS = 1000;

export interface SqliteIndexOptions {
	/** Called when an index had to be thrown away. */
	warn?: (message: string) => void;
	version?: string;
	/** Called with what kept from being written what may wait; it is tried again. */
	onLateFailure?: (error: unknown) => void;
	/** Whatever is there is thrown away. */
	anew?: boolean;
}

/**
 * Opens the rebuildable index. A file that is damaged, no database, or of another version is deleted and begun
 * anew with a new epoch; its content comes back from the timelines.
 */
export function openSqliteIndex(path: string, options: SqliteIndexOptions = {}): IndexStore {
	const { version = INDEX_VERSION, anew = false } = options;
	const store = anew ? undefined : openFormer(path, version, options);
	if (store) return store;
	for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
	const made = createStore(path, version, options);
	if (!made) throw new Error(`The new index ${path} has no version; delete it and start again.`);
	return made;
}

/** The index that is there; undefined where it is of no use. */
function openFormer(path: string, version: string, options: SqliteIndexOptions): IndexStore | undefined {
	const { warn } = options;
	try {
		const store = createStore(path, version, options);
		if (!store) warn?.(`The index ${path} is of another version; it is rebuilt from the timelines.`);
		return store;
	} catch (error) {
		if (!isUnusable(unwrap(error)) && !(error instanceof SyntaxError)) {
			const words = `The index ${path} cannot be opened: ${reasonOf(error)}.`;
			throw new Error(`${words} Mend that, and start again; the timelines have all that it holds.`, { cause: error });
		}
		warn?.(`The index ${path} cannot be read (${String(unwrap(error))}); it is rebuilt from the timelines.`);
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
	// What the tail cannot do without is read here, where a damaged index is begun anew.
	read.cursors();
	for (const sessionId of sessionsWithOldViews(db)) saveView(refold(sessionId, read.events));
	const said = prepareTextIndex(sqlite);
	const catchUp = sqlite.transaction(() => said.catchUp(CATCH_UP));
	while (catchUp());

	const checkpointer = createCheckpointer(sqlite);
	const dirty = new Map<string, SessionView>();
	/** From the first question for all on: they are asked for every second, and parsing thousands takes longer than a frame. */
	let held: Map<string, SessionView> | undefined;
	let timer: NodeJS.Timeout | undefined;
	const saveSearchText = sqlite.transaction(said.writeWaiting);
	const saveAll = sqlite.transaction(() => {
		for (const view of dirty.values()) saveView(view);
		said.writeWaiting();
	});
	const flush = () => {
		saveAll();
		dirty.clear();
		said.settle([], true);
	};
	const flushLater = () => {
		timer ??= setTimeout(() => {
			timer = undefined;
			try {
				flush();
			} catch (error) {
				// Locked or full: the views stay dirty, and a crash until then only means folding them again.
				flushLater();
				onLateFailure?.(error);
			}
		}, VIEW_FLUSH_MS).unref();
	};
	const writeAtOnce = sqlite.transaction((batches: readonly IndexBatch[]) => {
		const born = batches.flatMap(({ sessionId }) => (drawn.has(sessionId) ? [] : [{ sessionId, epoch: randomUUID() }]));
		for (const { sessionId, epoch } of born) putEpoch(sessionId, epoch);
		const added = batches.flatMap(writeBatch);
		return { born, added, isWritten: said.writeIfEnough(added) };
	});
	const forgetAtOnce = sqlite.transaction((sessionId: string) => {
		said.forget(sessionId);
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
			said.settle(added, isWritten);
			checkpointer.wrote(batches.reduce((sum, batch) => sum + pagesOf(batch), 0));
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
			said.settle([], true);
			return said.find(terms, before, take);
		},
		forget(sessionId) {
			// What it says may still wait.
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

/** About how many pages a batch changes: the last one of each table and index, and one for each id, which lie anywhere. */
const pagesOf = ({ events: added, rows: changed }: IndexBatch) => 7 + added.length + changed.length;

/** Seq numbers of another epoch mean nothing any more. */
function drawEpoch(db: Queries): string {
	const epoch = randomUUID();
	db.insert(meta)
		.values({ key: 'epoch', value: epoch })
		.onConflictDoUpdate({ target: meta.key, set: { value: epoch } })
		.run();
	return epoch;
}

/** Sessions whose last events were written by a process that ended before it wrote their view. */
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
