import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';

/** A few rows: version and epoch of this index, and how far the search index is. */
export const meta = sqliteTable('meta', {
	key: text().primaryKey(),
	value: text().notNull(),
});

/** How far each timeline has been read. */
export const cursors = sqliteTable('cursors', {
	sessionId: text('session_id').primaryKey(),
	device: integer().notNull(),
	inode: integer().notNull(),
	offset: integer().notNull(),
	tailDigest: text('tail_digest').notNull(),
});

/** The random name of one reading of each timeline; seq numbers are valid only within it. */
export const epochs = sqliteTable('epochs', {
	sessionId: text('session_id').primaryKey(),
	epoch: text().notNull(),
});

/** Whether an event may be a denial, by its text: as a partial index this costs an insert almost nothing. Readers check again. */
export const looksLikeDenial = sql`instr(json, '"type":"gate:verdict"') > 0 and instr(json, '"decision":"deny"') > 0`;

/** Every event; `pos` orders all sessions, `seq` orders one. */
export const events = sqliteTable(
	'events',
	{
		pos: integer().primaryKey({ autoIncrement: true }),
		sessionId: text('session_id').notNull(),
		seq: integer().notNull(),
		id: text().notNull(),
		rowKey: text('row_key').notNull(),
		json: text().notNull(),
	},
	(table) => [
		unique('events_by_seq').on(table.sessionId, table.seq),
		unique('events_by_id').on(table.sessionId, table.id),
		index('events_by_row').on(table.sessionId, table.rowKey),
		index('denials').on(table.pos).where(looksLikeDenial),
	],
);

/** The rows of the story; `seq` is that of a row's first event and orders them. */
export const rows = sqliteTable(
	'rows',
	{
		sessionId: text('session_id').notNull(),
		key: text().notNull(),
		seq: integer().notNull(),
		json: text().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.sessionId, table.key] }),
		index('rows_by_seq').on(table.sessionId, table.seq),
	],
);

/** What gates and people decided, a line a row of the story; `at` in ms since the epoch. */
export const ledger = sqliteTable(
	'ledger',
	{
		sessionId: text('session_id').notNull(),
		key: text().notNull(),
		at: integer().notNull(),
		json: text().notNull(),
	},
	(table) => [primaryKey({ columns: [table.sessionId, table.key] }), index('ledger_by_time').on(table.at)],
);

/** Summary views as of `seq`; later events are folded in at the next start. */
export const views = sqliteTable('views', {
	sessionId: text('session_id').primaryKey(),
	seq: integer().notNull(),
	json: text().notNull(),
});
