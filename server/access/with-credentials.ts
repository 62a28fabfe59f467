import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import type { Credentials } from './credentials.ts';

/** Works on the credentials of a home, whether its server runs or not: both read the same journal. */
export async function withCredentials<T>(home: string, work: (credentials: Credentials) => Promise<T>): Promise<T> {
	const [{ createCredentials }, { openSqliteJournal }] = await Promise.all([
		import('./credentials.ts'),
		import('../timeline/store/sqlite-journal.ts'),
	]);
	makeFolder(home);
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	try {
		return await work(createCredentials({ journal, now: Date.now }));
	} finally {
		await journal.close();
	}
}
