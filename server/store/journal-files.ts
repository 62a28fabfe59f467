import { statSync } from 'node:fs';

const AWAY = 'the file was removed while it was in use';
const OTHER = 'another file was put in its place while it was in use';

/**
 * Remembers which files an open journal stands on, and says as a clause what became of them; null while they are there.
 * SQLite goes on with a file that lies in the home no more: what it writes there is lost when it closes it.
 */
export function holdJournalFiles(path: string): () => string | null {
	// The log and its index stay the same files as long as anybody has the journal open.
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

function identityOf(file: string): string | undefined {
	const found = statSync(file, { throwIfNoEntry: false, bigint: true });
	return found && `${found.dev} ${found.ino}`;
}
