import { saidText } from '#lib/search/said-text.ts';
import type { SessionView } from '#lib/session/view.ts';
import type { IndexBatch } from './index-store.ts';
import type { Database } from './open-database.ts';
import type { Saying } from './said-index.ts';

/**
 * The statements of the tail's way, prepared once: they run for every event, so they do without the query builder, which
 * costs more than SQLite itself. The caller opens the transaction.
 */
export function prepareWrites(sqlite: Database) {
	const insertEvent = sqlite.prepare<[string, number, string, string, string]>(
		'INSERT INTO events (session_id, seq, id, row_key, json) VALUES (?, ?, ?, ?, ?)',
	);
	const putRow = sqlite.prepare<[string, string, number, string]>(
		`INSERT INTO rows (session_id, key, seq, json) VALUES (?, ?, ?, ?)
		ON CONFLICT (session_id, key) DO UPDATE SET seq = excluded.seq, json = excluded.json`,
	);
	const putLine = sqlite.prepare<[string, string, number, string]>(
		`INSERT INTO ledger (session_id, key, at, json) VALUES (?, ?, ?, ?)
		ON CONFLICT (session_id, key) DO UPDATE SET at = excluded.at, json = excluded.json`,
	);
	const putView = sqlite.prepare<[string, number, string]>(
		`INSERT INTO views (session_id, seq, json) VALUES (?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, json = excluded.json`,
	);
	const putCursor = sqlite.prepare<[string, number, number, number, string]>(
		`INSERT INTO cursors (session_id, device, inode, "offset", tail_digest) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session_id) DO UPDATE SET
			device = excluded.device, inode = excluded.inode, "offset" = excluded."offset", tail_digest = excluded.tail_digest`,
	);

	const putEpoch = sqlite.prepare<[string, string]>('INSERT INTO epochs (session_id, epoch) VALUES (?, ?)');

	return {
		putEpoch: (sessionId: string, epoch: string) => void putEpoch.run(sessionId, epoch),
		/** Gives what the events say, for the search index. */
		writeBatch({ sessionId, cursor, events, rows, ledger }: IndexBatch): Saying[] {
			const said = events.map(({ event, rowKey }) => {
				const { lastInsertRowid } = insertEvent.run(sessionId, event.seq, event.id, rowKey, JSON.stringify(event));
				return { pos: Number(lastInsertRowid), text: saidText(event) };
			});
			for (const row of rows) putRow.run(sessionId, row.key, row.seq, JSON.stringify(row));
			for (const line of ledger) putLine.run(sessionId, line.rowKey, Date.parse(line.at), JSON.stringify(line));
			putCursor.run(sessionId, cursor.device, cursor.inode, cursor.offset, cursor.tailDigest);
			return said;
		},
		saveView(view: SessionView) {
			putView.run(view.sessionId, view.seq, JSON.stringify(view));
		},
	};
}
