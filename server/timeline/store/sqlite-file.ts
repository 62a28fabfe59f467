import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { type MigrationConfig, readMigrationFiles } from 'drizzle-orm/migrator';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { type Database, openDatabase, SqliteError } from './open-database.ts';

/** How long a writer waits for another process, in ms. The tail delays hooks, so it retries later instead. */
const BUSY_MS = { journal: 10_000, index: 50 } as const;
/** Cached pages of a file at most. */
const CACHE_KIB = 16_000;
const OPEN_ATTEMPTS = 20;

/**
 * Opens a database for its owner alone (0600 in a 0700 folder), in WAL mode and migrated. `migrations` names a folder below
 * `migrations/`. Throws if it is no database, or its folder cannot be written.
 */
export function openSqlite(path: string, synchronous: 'FULL' | 'NORMAL', migrations: 'index' | 'journal') {
	makeFolder(dirname(path));
	chmodSync(dirname(path), 0o700);
	// Opening a FIFO would block.
	if (existsSync(path) && !statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
	closeSync(openSync(path, 'a', 0o600));
	const sqlite = openDatabase(path, { timeout: BUSY_MS[migrations] });
	try {
		retryWhileOthersOpen(() => {
			sqlite.pragma('journal_mode = WAL');
			sqlite.pragma(`synchronous = ${synchronous}`);
			sqlite.pragma(`cache_size = -${CACHE_KIB}`);
			migrateDatabase(sqlite, fileURLToPath(new URL(`./migrations/${migrations}`, import.meta.url)));
		});
		for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
		return sqlite;
	} catch (error) {
		sqlite.close();
		throw error;
	}
}

/** Whether the file cannot be used as it is: not a database, damaged, or of another schema. */
export function isUnusable(error: unknown): boolean {
	if (!(error instanceof SqliteError)) return false;
	// SQLite has already rolled back what a full disk interrupted, so the driver has nothing to undo.
	if (error.message.startsWith('cannot rollback')) return false;
	return !/^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
}

/** Two processes that open a new file at once both create its tables; the one that fails succeeds at its next try. */
function retryWhileOthersOpen(open: () => void) {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return open();
		} catch (error) {
			const lost = error instanceof Error && /busy|locked|already exists/i.test(`${error.message} ${causeOf(error)}`);
			if (!lost || attempt === OPEN_ATTEMPTS) throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
		}
	}
}

const causeOf = (error: Error) => (error.cause instanceof Error ? error.cause.message : '');

/** Drizzle's queries over an open database. */
export type Queries = BaseSQLiteDatabase<'sync', unknown>;

/**
 * Drizzle over our driver: its session for better-sqlite3 needs only methods that Database has. Apart from the driver, since a
 * start locks the home before it needs queries.
 */
export function drizzle(database: Database): Queries {
	const dialect = new SQLiteSyncDialect();
	return new BaseSQLiteDatabase('sync', dialect, new BetterSQLiteSession(database, dialect, undefined), undefined);
}

/** Runs the migrations of `folder` (absolute) that `database` has not had yet. */
function migrateDatabase(database: Database, folder: string): void {
	const config: MigrationConfig = { migrationsFolder: folder };
	const dialect = new SQLiteSyncDialect();
	dialect.migrate(readMigrationFiles(config), new BetterSQLiteSession(database, dialect, undefined), config);
}
