import type { JournalDraft, JournalKind, JournalRow } from '../timeline/store/journal-store.ts';
import { openJournalWriter } from '../timeline/store/journal-writer.ts';

/** Appends one row as another process would, for tests; durable when it returns. */
export function appendToJournal(
	path: string,
	draft: JournalDraft,
	unlessSubjectHas?: readonly JournalKind[],
): JournalRow | null {
	const writer = openJournalWriter(path);
	try {
		return writer.append(draft, unlessSubjectHas);
	} finally {
		writer.close();
	}
}
