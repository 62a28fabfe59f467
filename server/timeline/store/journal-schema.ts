import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SealedPayload } from './journal-chain.ts';
import type { JournalKind } from './journal-store.ts';

/**
 * Who decided what; each row is chained to the one before by its hash. Triggers refuse UPDATE and DELETE. The last three columns
 * are empty only in rows of an older version, until it is opened once.
 */
export const journal = sqliteTable(
	'journal',
	{
		n: integer().primaryKey({ autoIncrement: true }),
		id: text().notNull().unique(),
		ts: text().notNull(),
		kind: text().$type<JournalKind>().notNull(),
		subject: text().notNull(),
		sessionId: text('session_id'),
		payloadHash: text('payload_hash'),
		signer: text(),
		hash: text(),
		signature: text(),
	},
	(table) => [index('journal_by_subject').on(table.subject), index('journal_by_kind').on(table.kind)],
);

/** Payloads are stored apart from their rows, so that a field can be removed without breaking the chain. */
export const journalPayload = sqliteTable('journal_payload', {
	n: integer()
		.primaryKey()
		.references(() => journal.n),
	body: text({ mode: 'json' }).$type<SealedPayload>().notNull(),
	/** 0: of a former version, the plain payload, until the journal is opened for the first time. */
	sealed: integer({ mode: 'boolean' }).notNull(),
});

/** Public keys that have signed rows, PEM by name. */
export const journalKey = sqliteTable('journal_key', {
	name: text().primaryKey(),
	publicKey: text('public_key').notNull(),
});

/** Rows that the timeline does not have yet; written with the row, removed when it was published. */
export const outbox = sqliteTable('outbox', {
	n: integer()
		.primaryKey()
		.references(() => journal.n),
});
