import { chmodSync, closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { LAST_URL } from '#hooks-bridge/ports/server-url.ts';
import { isDiskFull, reasonOf } from '../process/failure-words.ts';
import { packageVersion } from '../process/package-root.ts';
import { type Holder, holderPath, readHolder } from '../process/server-holder.ts';
import { type Database, openDatabase, SqliteError } from '../timeline/store/open-database.ts';

/** Proof that this process is the only server of its home. */
export interface InstanceLock {
	/** Publishes the address for hooks and a second start; a server that a hook starts uses it again. */
	announce(url: string): void;
	/** Whether the lock file is still the home's: the home may have been deleted and created again. */
	isCurrent(): boolean;
	release(): void;
}

type Warn = (message: string) => void;

function writeHolder(lockPath: string, holder: Holder, warn: Warn): void {
	writeWhole(holderPath(dirname(lockPath)), JSON.stringify(holder), warn);
}

function writeWhole(path: string, text: string, warn: Warn): void {
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, text, { mode: 0o600 });
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) moveAside(path, warn);
	renameSync(draft, path);
}

/** These files contain nothing of value, so something else at their paths must not prevent the start. */
function moveAside(path: string, warn: Warn): void {
	const aside = `${path}.moved-${Date.now()}`;
	renameSync(path, aside);
	warn(`What stood at ${path} was none of this server's files; it is at ${aside} now.`);
}

function isBusy(error: unknown): boolean {
	return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function openLock(lockPath: string): Database {
	try {
		// Opening a FIFO would wait for ever, and SQLite does not say what the system refused.
		if (statSync(lockPath, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`it is no regular file`);
		closeSync(openSync(lockPath, 'a', 0o600));
		return openDatabase(lockPath, { timeout: 0 });
	} catch (error) {
		throw lockError(lockPath, error);
	}
}

function lockError(lockPath: string, error: unknown): Error {
	if (isDiskFull(error)) {
		const words = `The disk is full: ${lockPath} cannot be written. Free some space, then try again.`;
		return new Error(words, { cause: error });
	}
	const todo = 'Mend that, or move the file away, which holds nothing of worth; then try again.';
	return new Error(`The lock ${lockPath} cannot be taken: ${reasonOf(error)}. ${todo}`, { cause: error });
}

/** Opens the lock's database in an exclusive transaction; null if another process has it. Throws if it cannot be opened. */
function beginExclusive(lockPath: string): Database | null {
	const database = openLock(lockPath);
	try {
		chmodSync(lockPath, 0o600);
		database.exec('BEGIN EXCLUSIVE');
		return database;
	} catch (error) {
		database.close();
		if (isBusy(error)) return null;
		throw lockError(lockPath, error);
	}
}

/** As `beginExclusive`; a damaged lock, which nobody can hold, is moved aside. */
function beginOrReplace(lockPath: string, warn: Warn): Database | null {
	try {
		return beginExclusive(lockPath);
	} catch (error) {
		if (isDiskFull(error)) throw error;
		try {
			moveAside(lockPath, warn);
		} catch {
			throw error;
		}
		return beginExclusive(lockPath);
	}
}

/**
 * One server a home, by an exclusive transaction on `server.lock`, which the system releases however the process ends. The
 * holder's data is in `server.lock.json`, since a locked database cannot be read. `warn` receives what was moved aside.
 */
export function takeInstanceLock(
	lockPath: string,
	warn: Warn = () => undefined,
): { taken: true; lock: InstanceLock } | { taken: false; holder: Holder | null } {
	makeFolder(dirname(lockPath));
	const database = beginOrReplace(lockPath, warn);
	if (!database) return { taken: false, holder: readHolder(dirname(lockPath)) };
	// Read at the start: an upgrade may replace the program under a running server.
	const own = { pid: process.pid, version: packageVersion() };
	writeHolder(lockPath, own, warn);
	const { dev, ino } = statSync(lockPath);
	const lock: InstanceLock = {
		announce: (url) => {
			writeHolder(lockPath, { ...own, url }, warn);
			writeWhole(join(dirname(lockPath), LAST_URL), `${url}\n`, warn);
		},
		isCurrent() {
			const found = statSync(lockPath, { throwIfNoEntry: false });
			return found?.dev === dev && found.ino === ino;
		},
		release: () => {
			if (!database.open) return;
			rmSync(holderPath(dirname(lockPath)), { force: true });
			database.close();
		},
	};
	return { taken: true, lock };
}
