import { type BetterSQLite3Database, drizzle as drizzleOn } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { Database } from './open-database.ts';

/** Drizzle's queries over an open database. */
export type Queries = BetterSQLite3Database;

/** Drizzle's queries over `database`. Apart from the driver, since a start takes its lock before it needs queries. */
export function drizzle(database: Database): Queries {
	return drizzleOn(database);
}

/** Runs the migrations of `folder` (absolute) that `database` has not had yet. */
export function migrateDatabase(database: Database, folder: string): void {
	migrate(drizzleOn(database), { migrationsFolder: folder });
}
