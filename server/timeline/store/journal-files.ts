import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBlank } from '#hooks-bridge/disk/write-durably.ts';
import { readState, writeThenRename } from '#hooks-bridge/disk/write-files.ts';
import { JournalHead } from '#lib/contract/health/audit.ts';
import { keyPath } from './journal-signer.ts';

const AWAY = 'the file was removed while it was in use';
const OTHER = 'another file was put in its place while it was in use';

/**
 * Remembers the files of an open journal; the returned function says as a clause what happened to them, null if they are still
 * there. SQLite continues to use a file that was removed from the home, and its rows are lost when it is closed.
 */
export function holdJournalFiles(path: string): () => string | null {
	// The write-ahead log and its index stay the same files as long as the journal is open.
	const held = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, was: identityOf(file) }));
	return () => {
		for (const { file, was } of held) {
			const now = was === undefined ? was : identityOf(file);
			if (now === was) continue;
			const what = now === undefined ? AWAY : OTHER;
			return file === path ? what : `${what} (${file})`;
		}
		return null;
	};
}

/** Changes with every write to the file, by this process or another. */
export function markOf(path: string): string {
	const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
	return stat ? `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '';
}

/** Which file stands at a path, whatever names lead to it; undefined if there is none. */
export function identityOf(file: string): string | undefined {
	const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
	return stat && `${stat.dev} ${stat.ino}`;
}

/**
 * Whether a journal that existed is `gone` or `empty`; null if it is there, or never existed. A journal's key is created after
 * its tables. Another process may be creating the journal right now, so this is checked twice.
 */
export function whatIsLost(path: string): 'gone' | 'empty' | null {
	const checkFiles = () => {
		const size = sizeOf(path);
		if (size || (size === 0 && sizeOf(`${path}-wal`))) return null;
		if (readSeen(path) === null && (sizeOf(keyPath(path)) === undefined || isBlank(keyPath(path)))) return null;
		return size === undefined ? 'gone' : 'empty';
	};
	if (checkFiles() === null) return null;
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
	return checkFiles();
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

/** The file beside the journal that remembers its newest row, so that the loss of the journal is noticed. */
function seenPath(journalPath: string): string {
	return join(dirname(journalPath), 'journal.seen');
}

/** The newest row that this home remembers, at most a second old; null without one. */
export function readSeen(journalPath: string): JournalHead | null {
	return JournalHead.safeParse(readState(seenPath(journalPath))).data ?? null;
}

/**
 * Remembers the newest row, which is already on the disk. Not synced: after a power cut the note is older or blank, but never
 * names a row that does not exist. Throws the disk's error.
 */
export function writeSeen(journalPath: string, head: JournalHead): void {
	const path = seenPath(journalPath);
	writeThenRename(`${path}.${randomUUID()}`, path, `${JSON.stringify(head)}\n`, 0o600);
}
