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
 * Remembers the files of an open journal; the function says as a clause what became of them, null if nothing. SQLite goes on with
 * a removed file, and its rows are lost at the end.
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

/** Whether a journal that existed is `gone` or `empty`; else null. Checked twice, since another process may be creating it. */
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
 * Remembers the newest row, which is on the disk already. Not synced: the note may be old or blank after a power cut, but names
 * no row that does not exist. Throws the disk's error.
 */
export function writeSeen(journalPath: string, head: JournalHead): void {
	const path = seenPath(journalPath);
	writeThenRename(`${path}.${randomUUID()}`, path, `${JSON.stringify(head)}\n`, 0o600);
}
