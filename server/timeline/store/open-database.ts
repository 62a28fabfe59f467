import Driver from 'better-sqlite3';

/** An open SQLite database. This file is the only one that names the driver. */
export type Database = Driver.Database;

/** How a file is opened. `timeout` is how long a statement waits for another process's lock, in ms. */
export type DatabaseOptions = Pick<Driver.Options, 'readonly' | 'fileMustExist' | 'timeout'>;

/** What SQLite refuses is thrown as this. `code` is SQLite's extended result, e.g. `SQLITE_BUSY`. */
export const SqliteError = Driver.SqliteError;

/** Opens the database at `path`. Throws SqliteError when it cannot be opened; a file of another kind throws at its first statement. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
	return new Driver(path, options);
}
