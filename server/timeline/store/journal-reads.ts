import { and, asc, desc, eq, gte, inArray, lt, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { drizzle } from './drizzle.ts';
import { openPayload, type SealedPayload } from './journal-chain.ts';
import { journal, journalPayload, outbox } from './journal-schema.ts';
import type { JournalKind, JournalRow, JournalStore } from './journal-store.ts';
import { openDatabase } from './open-database.ts';

type Reads = Pick<
	JournalStore,
	'bySubject' | 'bySubjectStart' | 'byKind' | 'standing' | 'has' | 'find' | 'unpublished' | 'head'
> & {
	close(): void;
};

/** Reads over a connection that cannot write; sees every row that any process has committed. */
export function openJournalReads(path: string): Reads {
	const sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
	const db = drizzle(sqlite);
	const { n, id, ts, kind, subject, sessionId } = journal;
	const ended = alias(journal, 'ended');
	const columns = { n, id, ts, kind, subject, sessionId, body: journalPayload.body };
	const rows = () => db.select(columns).from(journal).innerJoin(journalPayload, eq(journalPayload.n, n)).$dynamic();
	// Asked at every request and for every entry of a list: building such a query anew costs ten times as much as running it.
	const subjectRows = rows()
		.where(eq(subject, sql.placeholder('subject')))
		.orderBy(asc(n))
		.prepare();
	const rowOfId = rows()
		.where(eq(id, sql.placeholder('id')))
		.prepare();
	const numberOfId = db
		.select({ n })
		.from(journal)
		.where(eq(id, sql.placeholder('id')))
		.prepare();
	return {
		bySubject: (about) => subjectRows.all({ subject: about }).map(toRow),
		bySubjectStart(start) {
			// No hexadecimal digit comes after `g`; a range is found by the index.
			const wanted = and(gte(subject, start), lt(subject, `${start}g`));
			return rows().where(wanted).orderBy(asc(n)).all().map(toRow);
		},
		byKind(kinds, { sinceMs, limit }) {
			const since = sinceMs === undefined ? undefined : gte(ts, new Date(sinceMs).toISOString());
			const wanted = and(inArray(kind, [...kinds]), since);
			return rows().where(wanted).orderBy(desc(n)).limit(limit).all().map(toRow).reverse();
		},
		standing(wanted, end, limit) {
			const ends = db
				.select({ n: ended.n })
				.from(ended)
				.where(and(eq(ended.subject, subject), eq(ended.kind, end)));
			const stands = and(eq(kind, wanted), notExists(ends));
			return rows().where(stands).orderBy(desc(n)).limit(limit).all().map(toRow).reverse();
		},
		has: (wanted) => numberOfId.get({ id: wanted }) !== undefined,
		find(wanted) {
			const row = rowOfId.get({ id: wanted });
			return row && toRow(row);
		},
		unpublished: (limit) => rows().innerJoin(outbox, eq(outbox.n, n)).orderBy(asc(n)).limit(limit).all().map(toRow),
		head() {
			const last = db.select({ n, hash: journal.hash }).from(journal).orderBy(desc(n)).limit(1).get();
			return last?.hash ? { n: last.n, hash: last.hash } : null;
		},
		close: () => void sqlite.close(),
	};
}

interface FoundRow {
	n: number;
	id: string;
	ts: string;
	kind: JournalKind;
	subject: string;
	sessionId: string | null;
	body: SealedPayload;
}

function toRow({ sessionId, body, ...row }: FoundRow): JournalRow {
	const { payload, redacted } = openPayload(body);
	const taken = redacted.length > 0 && { redacted };
	return { ...row, payload, ...(sessionId !== null && { sessionId }), ...taken };
}
