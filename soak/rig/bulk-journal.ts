import { openChain } from '#server/timeline/store/journal-links.ts';
import { openJournalSigner } from '#server/timeline/store/journal-signer.ts';
import { openSqlite } from '#server/timeline/store/sqlite-file.ts';

const AT_ONCE = 10_000;
const TS = Date.parse('2026-01-01T00:00:00.000Z');

/** Adds the decisions `first` to `last` to a journal, chained and signed as the server's, in few large transactions. */
export function writeBulkJournal(path: string, last: number, first = 1): void {
	const sqlite = openSqlite(path, 'NORMAL', 'journal');
	const chain = openChain(sqlite, openJournalSigner(path));
	const write = sqlite.transaction((from: number, to: number) => {
		for (let n = from; n <= to; n += 1) {
			const payload = { decision: 'approve', reason: `because ${n}`, input: { command: `make ${n}` } };
			const ts = new Date(TS + n * 1000).toISOString();
			chain.add({ id: `row-${n}`, ts, kind: 'approval:resolve', subject: `a${n}`, sessionId: 's1', payload });
		}
	});
	for (let from = first; from <= last; from += AT_ONCE) write(from, Math.min(last, from + AT_ONCE - 1));
	sqlite.close();
}
