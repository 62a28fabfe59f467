import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';
import type { Queries } from './drizzle.ts';
import { cursors, events, ledger, looksLikeDenial, rows, views } from './index-schema.ts';
import type { IndexStore } from './index-store.ts';
import type { Database } from './open-database.ts';

type Reads = Pick<
	IndexStore,
	'cursors' | 'knownIds' | 'view' | 'views' | 'row' | 'rowsOf' | 'rows' | 'events' | 'timeOf' | 'denials' | 'ledger'
>;

/** A list of values costs a question more than these few questions for one value each. */
const FEW = 8;

/** Lines of one instant are told apart by it. */
const ledgerRow = sql<number>`${ledger}.rowid`;

const textAt = (path: string) => sql<string>`json_extract(${events.json}, ${path})`;

/** Everything that is read from the index. What is parsed here was checked before it was written. */
export function prepareReads(sqlite: Database, db: Queries): Reads {
	// These run for every batch: as the statements of `index-writes.ts`.
	const knownIds = sqlite
		.prepare<[string, string], string>(
			'SELECT id FROM events WHERE session_id = ? AND id IN (SELECT value FROM json_each(?))',
		)
		.pluck();
	const knownId = sqlite
		.prepare<[string, string], string>('SELECT id FROM events WHERE session_id = ? AND id = ?')
		.pluck();
	const oneRow = sqlite
		.prepare<[string, string], string>('SELECT json FROM rows WHERE session_id = ? AND key = ?')
		.pluck();
	const rowsByKey = sqlite.prepare<[string, string], { key: string; json: string }>(
		'SELECT key, json FROM rows WHERE session_id = ? AND key IN (SELECT value FROM json_each(?))',
	);

	const timeAt = sqlite
		.prepare<[string, number], string>("SELECT json_extract(json, '$.ts') FROM events WHERE session_id = ? AND seq = ?")
		.pluck();

	const rowOf = (sessionId: string, key: string): Row | undefined => {
		const found = oneRow.get(sessionId, key);
		return found === undefined ? undefined : (JSON.parse(found) as Row);
	};

	return {
		cursors: () => db.select().from(cursors).all(),
		knownIds(sessionId, ids) {
			if (ids.length > FEW) return new Set(knownIds.all(sessionId, JSON.stringify(ids)));
			return new Set(ids.filter((id) => knownId.get(sessionId, id) !== undefined));
		},
		view(sessionId) {
			const found = db.select().from(views).where(eq(views.sessionId, sessionId)).get();
			return found && (JSON.parse(found.json) as SessionView);
		},
		views: () =>
			db
				.select()
				.from(views)
				.all()
				.map((found) => JSON.parse(found.json) as SessionView),
		row: rowOf,
		rowsOf(sessionId, keys) {
			const found = new Map<string, Row | undefined>(keys.map((key) => [key, undefined]));
			if (keys.length <= FEW) {
				for (const key of keys) found.set(key, rowOf(sessionId, key));
				return found;
			}
			for (const { key, json } of rowsByKey.iterate(sessionId, JSON.stringify(keys)))
				found.set(key, JSON.parse(json) as Row);
			return found;
		},
		rows(sessionId, { before, after, limit }) {
			const forward = after !== undefined && before === undefined;
			const found = db
				.select({ json: rows.json })
				.from(rows)
				.where(
					and(
						eq(rows.sessionId, sessionId),
						before === undefined ? undefined : lt(rows.seq, before),
						after === undefined ? undefined : gt(rows.seq, after),
					),
				)
				.orderBy(forward ? asc(rows.seq) : desc(rows.seq))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as Row);
			return forward ? found : found.reverse();
		},
		events: (sessionId, { after, limit, row }) =>
			db
				.select({ json: events.json })
				.from(events)
				.where(
					and(
						eq(events.sessionId, sessionId),
						gt(events.seq, after),
						row === undefined ? undefined : eq(events.rowKey, row),
					),
				)
				.orderBy(asc(events.seq))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as IndexedEvent),
		timeOf(sessionId, seq) {
			const ts = timeAt.get(sessionId, seq);
			return ts === undefined ? undefined : Date.parse(ts);
		},
		denials: (limit) =>
			db
				.select({ json: events.json })
				.from(events)
				.where(and(looksLikeDenial, eq(textAt('$.type'), 'gate:verdict'), eq(textAt('$.decision'), 'deny')))
				.orderBy(desc(events.pos))
				.limit(limit)
				.all()
				.map(({ json }) => JSON.parse(json) as IndexedEvent),
		ledger({ since, until, before, limit }) {
			const [at, row] = before?.split('-').map(Number) ?? [];
			return db
				.select({ at: ledger.at, row: ledgerRow, json: ledger.json })
				.from(ledger)
				.where(
					and(
						since === undefined ? undefined : gte(ledger.at, Date.parse(since)),
						until === undefined ? undefined : lt(ledger.at, Date.parse(until)),
						at === undefined ? undefined : sql`(${ledger.at}, ${ledgerRow}) < (${at}, ${row})`,
					),
				)
				.orderBy(desc(ledger.at), desc(ledgerRow))
				.limit(limit)
				.all()
				.map((found) => ({ line: JSON.parse(found.json) as LedgerEntry, place: `${found.at}-${found.row}` }));
		},
	};
}
