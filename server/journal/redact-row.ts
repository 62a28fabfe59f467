import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../timeline/store/journal-store.ts';
import { openJournalWriter } from '../timeline/store/journal-writer.ts';

/** Takes fields out of a row's payload for good, told by a row of its own. Null: the row has none of them. */
export function redactRow(
	path: string,
	{ n, fields, reason }: { n: number; fields: readonly string[]; reason: string },
): JournalRow | null {
	const writer = openJournalWriter(path);
	try {
		const payload = { fields, reason, by: { via: 'command' } };
		return writer.redact({ id: randomUUID(), kind: 'journal:redact', subject: `row:${n}`, payload }, n, fields);
	} finally {
		writer.close();
	}
}
