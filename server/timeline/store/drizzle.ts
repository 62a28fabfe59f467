import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { type MigrationConfig, readMigrationFiles } from 'drizzle-orm/migrator';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { Database } from './open-database.ts';

/** Drizzle's queries over an open database. */
export type Queries = BaseSQLiteDatabase<'sync', unknown>;

/**
 * Drizzle's queries over `database`. Its session for better-sqlite3 needs only methods that Database has, so it works with this
 * driver too. Not in the driver's file, since a start locks the home before it needs queries.
 */
export function drizzle(database: Database): Queries {
	const dialect = new SQLiteSyncDialect();
	return new BaseSQLiteDatabase('sync', dialect, new BetterSQLiteSession(database, dialect, undefined), undefined);
}

/** Runs the migrations of `folder` (absolute) that `database` has not had yet. */
export function migrateDatabase(database: Database, folder: string): void {
	const config: MigrationConfig = { migrationsFolder: folder };
	const dialect = new SQLiteSyncDialect();
	dialect.migrate(readMigrationFiles(config), new BetterSQLiteSession(database, dialect, undefined), config);
}
