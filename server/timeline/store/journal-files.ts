import { statSync } from 'node:fs';
import { isBlank } from '#hooks-bridge/disk/write-durably.ts';
import { readSeen } from './journal-seen.ts';
import { keyPath } from './journal-signer.ts';

const AWAY = 'the file was removed while it was in use';
const OTHER = 'another file was put in its place while it was in use';

/**
 * Remembers which files an open journal stands on, and says as a clause what became of them; null while they are there.
 * SQLite goes on with a file that lies in the home no more: what it writes there is lost when it closes it.
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

/** Changes with whatever is written into the file, by us or by others. */
export function markOf(path: string): string {
	const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
	return stat ? `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '';
}

function identityOf(file: string): string | undefined {
	const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
	return stat && `${stat.dev} ${stat.ino}`;
}

/**
 * Whether a journal that was here once is `gone` or `empty`; null where it is there, or never was. A journal's key is
 * made after its tables. Another process may be making it again right now, so it is looked at twice.
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
