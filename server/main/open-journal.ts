import { join } from 'node:path';
import { breakWords } from '#lib/audit/audit-report.ts';
import { mendJournal } from '../journal/mend-journal.ts';
import type { Log } from '../process/log.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import type { Closers } from './claim-home.ts';

/** Opens the journal, mended first if damaged. Its own file, so that the writer thread can start early. */
export async function openJournal(home: string, log: Log, closers: Closers): Promise<JournalStore> {
	const mended = mendJournal(join(home, 'journal.db'), Date.now());
	if (mended) log.warn(breakWords(mended.n, mended));
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	closers.push(() => journal.close());
	return journal;
}
