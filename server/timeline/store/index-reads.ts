import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { cursors, events, ledger, looksLikeDenial, rows, views } from './index-schema.ts';
import type { IndexStore } from './index-store.ts';
import type { Database } from './open-database.ts';
import type { Queries } from './sqlite-file.ts';

/** Orders lines of one instant. */
const ledgerRow = sql<number>`${ledger}.rowid`;

const textAt = (path: string) => sql<string>`json_extract(${events.json}, ${path})`;

const parsed = <T>({ json }: { json: string }) => JSON.parse(json) as T;

/** What pages and other readers ask of the index. Values were checked before they were written. */
export function prepareIndexReads(
	sqlite: Database,
	db: Queries,
): Pick<IndexStore, 'cursors' | 'view' | 'views' | 'rows' | 'events' | 'timeOf' | 'denials' | 'ledger'> {
	// Runs for each point of a recording's axis.
	const timeAt = sqlite
		.prepare<[string, number], string>("SELECT json_extract(json, '$.ts') FROM events WHERE session_id = ? AND seq = ?")
		.pluck();
	return {
		cursors: () => db.select().from(cursors).all(),
		view(sessionId) {
			const found = db.select().from(views).where(eq(views.sessionId, sessionId)).get();
			return found && parsed<SessionView>(found);
		},
		views: () =>
			db
				.select()
				.from(views)
				.all()
				.map(parsed<SessionView>),
		rows(sessionId, { before, after, limit }) {
			const forward = after !== undefined && before === undefined;
			const range = [
				before === undefined ? undefined : lt(rows.seq, before),
				after === undefined ? undefined : gt(rows.seq, after),
			];
			const found = db
				.select({ json: rows.json })
				.from(rows)
				.where(and(eq(rows.sessionId, sessionId), ...range))
				.orderBy(forward ? asc(rows.seq) : desc(rows.seq))
				.limit(limit)
				.all()
				.map(parsed<Row>);
			return forward ? found : found.reverse();
		},
		events(sessionId, { after, limit, row }) {
			const ofRow = row === undefined ? undefined : eq(events.rowKey, row);
			return db
				.select({ json: events.json })
				.from(events)
				.where(and(eq(events.sessionId, sessionId), gt(events.seq, after), ofRow))
				.orderBy(asc(events.seq))
				.limit(limit)
				.all()
				.map(parsed<IndexedEvent>);
		},
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
				.map(parsed<IndexedEvent>),
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
				.map((found) => ({ line: parsed<LedgerEntry>(found), place: `${found.at}-${found.row}` }));
		},
	};
}
