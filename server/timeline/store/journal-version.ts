import { readFileSync } from 'node:fs';
import { JournalFailure } from './journal-failure.ts';
import type { Database } from './open-database.ts';

/** The version of a journal's tables compared with that of this program. */
export type JournalAge = 'same' | 'older' | 'newer';

/** Derived from the migrations that the journal has had. Throws SqliteError if it has no tables. */
export function journalAge(sqlite: Database): JournalAge {
	const newest = Number(sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get());
	const known = newestKnown();
	if (newest === known) return 'same';
	return newest > known ? 'newer' : 'older';
}

/**
 * Throws JournalFailure if a newer program has changed the journal's tables: rows of this program would break the chain, and rows
 * that it cannot read would look tampered with.
 */
export function refuseNewerJournal(sqlite: Database): void {
	if (journalAge(sqlite) !== 'newer') return;
	throw new JournalFailure(sqlite.name, 'a newer Signalbox has written it', {
		todo: 'start that one again, or use a copy of the home from before the update',
	});
}

/** When the last change of the tables was made that this program knows, in ms. */
function newestKnown(): number {
	const known: { entries: { when: number }[] } = JSON.parse(
		readFileSync(new URL('./migrations/journal/meta/_journal.json', import.meta.url), 'utf8'),
	);
	return Math.max(...known.entries.map(({ when }) => when));
}
