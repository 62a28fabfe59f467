import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { JournalKind } from './journal-store.ts';

/** Who decided what. Triggers of the second migration refuse UPDATE and DELETE. */
export const journal = sqliteTable(
	'journal',
	{
		n: integer().primaryKey({ autoIncrement: true }),
		id: text().notNull().unique(),
		ts: text().notNull(),
		kind: text().$type<JournalKind>().notNull(),
		subject: text().notNull(),
		sessionId: text('session_id'),
		payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
	},
	(table) => [index('journal_by_subject').on(table.subject), index('journal_by_kind').on(table.kind)],
);

/** Rows that the timeline does not have yet; written with the row, taken out when it was published. */
export const outbox = sqliteTable('outbox', {
	n: integer()
		.primaryKey()
		.references(() => journal.n),
});
