import { sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { SessionView } from '#lib/session/view.ts';
import { cursors, events, rows, views } from './index-schema.ts';
import type { IndexBatch } from './index-store.ts';

const given = sql.placeholder;
/** The value that the insert would have written. */
const excluded = (column: string) => sql.raw(`excluded."${column}"`);

/** The statements of the tail's way, prepared once: they run for every event. The caller opens the transaction. */
export function prepareWrites(db: BetterSQLite3Database) {
	const insertEvent = db
		.insert(events)
		.values({
			sessionId: given('sessionId'),
			seq: given('seq'),
			id: given('id'),
			rowKey: given('rowKey'),
			json: given('json'),
		})
		.prepare();
	const putRow = db
		.insert(rows)
		.values({ sessionId: given('sessionId'), key: given('key'), seq: given('seq'), json: given('json') })
		.onConflictDoUpdate({ target: [rows.sessionId, rows.key], set: { seq: excluded('seq'), json: excluded('json') } })
		.prepare();
	const putView = db
		.insert(views)
		.values({ sessionId: given('sessionId'), seq: given('seq'), json: given('json') })
		.onConflictDoUpdate({ target: views.sessionId, set: { seq: excluded('seq'), json: excluded('json') } })
		.prepare();
	const putCursor = db
		.insert(cursors)
		.values({
			sessionId: given('sessionId'),
			device: given('device'),
			inode: given('inode'),
			offset: given('offset'),
			tailDigest: given('tailDigest'),
		})
		.onConflictDoUpdate({
			target: cursors.sessionId,
			set: {
				device: excluded('device'),
				inode: excluded('inode'),
				offset: excluded('offset'),
				tailDigest: excluded('tail_digest'),
			},
		})
		.prepare();

	return {
		writeBatch({ sessionId, cursor, events: added, rows: changed }: IndexBatch) {
			for (const { event, rowKey } of added) {
				insertEvent.run({ sessionId, seq: event.seq, id: event.id, rowKey, json: JSON.stringify(event) });
			}
			for (const row of changed) putRow.run({ sessionId, key: row.key, seq: row.seq, json: JSON.stringify(row) });
			putCursor.run({ ...cursor, sessionId });
		},
		saveView(view: SessionView) {
			putView.run({ sessionId: view.sessionId, seq: view.seq, json: JSON.stringify(view) });
		},
	};
}
