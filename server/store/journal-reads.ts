import Database from 'better-sqlite3';
import { and, asc, desc, eq, getTableColumns, gte, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { journal, outbox } from './journal-schema.ts';
import type { JournalRow, JournalStore } from './journal-store.ts';

type Reads = Pick<JournalStore, 'bySubject' | 'byKind' | 'has' | 'find' | 'unpublished'> & { close(): void };

/** Reads over a connection that cannot write; sees every row that any process has committed. */
export function openJournalReads(path: string): Reads {
	const sqlite = new Database(path, { readonly: true, fileMustExist: true });
	const db = drizzle(sqlite);
	return {
		bySubject: (subject) =>
			db.select().from(journal).where(eq(journal.subject, subject)).orderBy(asc(journal.n)).all().map(toRow),
		byKind: (kinds, { sinceMs, limit }) =>
			db
				.select()
				.from(journal)
				.where(
					and(
						inArray(journal.kind, [...kinds]),
						sinceMs === undefined ? undefined : gte(journal.ts, new Date(sinceMs).toISOString()),
					),
				)
				.orderBy(desc(journal.n))
				.limit(limit)
				.all()
				.map(toRow)
				.reverse(),
		has: (id) => db.select({ n: journal.n }).from(journal).where(eq(journal.id, id)).get() !== undefined,
		find(id) {
			const found = db.select().from(journal).where(eq(journal.id, id)).get();
			return found && toRow(found);
		},
		unpublished: (limit) =>
			db
				.select(getTableColumns(journal))
				.from(outbox)
				.innerJoin(journal, eq(journal.n, outbox.n))
				.orderBy(asc(journal.n))
				.limit(limit)
				.all()
				.map(toRow),
		close: () => void sqlite.close(),
	};
}

function toRow({ sessionId, ...found }: typeof journal.$inferSelect): JournalRow {
	return sessionId === null ? found : { ...found, sessionId };
}
