import { randomUUID } from 'node:crypto';
import { chmodSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';

/** What becomes of one file; undefined is "no file". */
export interface FileChange {
	path: string;
	before: string | undefined;
	after: string | undefined;
}

/**
 * Writes a whole file or none: a draft beside it, then a rename. A link keeps pointing where it did. Without `mode` an
 * existing file keeps its own.
 */
export function writeWhole(path: string, content: string | Buffer, mode?: number): void {
	makeFolder(dirname(path), 0o777);
	const existing = statSync(path, { throwIfNoEntry: false });
	const target = existing ? realpathSync(path) : path;
	const draft = `${target}.${randomUUID()}`;
	try {
		writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
		chmodSync(draft, mode ?? (existing ? existing.mode & 0o777 : 0o644));
		renameSync(draft, target);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** Makes the changes that are changes. A folder that a removed file leaves empty goes too. */
export function applyChanges(changes: readonly FileChange[]): void {
	for (const { path, before, after } of changes) {
		if (after === before) continue;
		if (after !== undefined) {
			writeWhole(path, after);
			continue;
		}
		rmSync(path, { force: true });
		try {
			rmdirSync(dirname(path));
		} catch {
			// Not empty: there is more in it than ours.
		}
	}
}
