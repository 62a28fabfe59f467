import Driver from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle as drizzleOn } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';

/** An open SQLite database. This file is the only one that names the driver. */
export type Database = Driver.Database;

/** Drizzle's queries over an open database. */
export type Queries = BetterSQLite3Database;

/** How a file is opened. `timeout` is how long a statement waits for another process's lock, in ms. */
export type DatabaseOptions = Pick<Driver.Options, 'readonly' | 'fileMustExist' | 'timeout'>;

/** What SQLite refuses is thrown as this. `code` is SQLite's extended result, e.g. `SQLITE_BUSY`. */
export const SqliteError = Driver.SqliteError;

/** Opens the database at `path`. Throws SqliteError when it cannot be opened; a file of another kind throws at its first statement. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
	return new Driver(path, options);
}

/** Drizzle's queries over `database`. */
export function drizzle(database: Database): Queries {
	return drizzleOn(database);
}

/** Runs the migrations of `folder` (absolute) that `database` has not had yet. */
export function migrateDatabase(database: Database, folder: string): void {
	migrate(drizzleOn(database), { migrationsFolder: folder });
}
