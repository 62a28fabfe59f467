import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../timeline/store/open-database.ts';

/** Locked while its process lives: a killed one holds nothing, also where replicas of one home do not see each other's pids. */
const LOCK = 'held.db';

/** A folder of this process alone. */
interface HeldFolder {
	path: string;
	/** Removes it with all that is in it. */
	release(): void;
}

/** Makes one in `parent`, in which nothing else lies, and removes those whose processes have died. */
export function holdFolder(parent: string): HeldFolder {
	makeFolder(parent);
	for (const name of readdirSync(parent)) removeWhereDead(join(parent, name));
	const path = mkdtempSync(join(parent, 'of-'));
	const lock = takeLock(path, {});
	return {
		path,
		release() {
			lock.close();
			rmSync(path, { recursive: true, force: true });
		},
	};
}

/** Throws where another process holds it. */
function takeLock(folder: string, options: DatabaseOptions): Database {
	const lock = openDatabase(join(folder, LOCK), options);
	try {
		lock.exec('BEGIN EXCLUSIVE');
		return lock;
	} catch (error) {
		lock.close();
		throw error;
	}
}

/** What cannot be removed now is tried again by the next one. */
function removeWhereDead(path: string): void {
	try {
		const lock = takeLock(path, { fileMustExist: true, timeout: 0 });
		rmSync(path, { recursive: true, force: true });
		lock.close();
	} catch {}
}
