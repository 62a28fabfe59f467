import { closeSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { sentence } from '#lib/messages/sentence.ts';
import { isDatabaseFailure, reasonOf, rootOf } from '../../process/failure-words.ts';
import { type Database, openDatabase } from './open-database.ts';

const IRREPLACEABLE = 'It holds who decided what and cannot be rebuilt';

/** The journal cannot be used: says which file, what is wrong with it, and what to do. */
export class JournalFailure extends Error {
	/** As a clause. */
	readonly reason: string;
	/** `todo`: a clause, if better advice than the cause's is known. */
	constructor(path: string, reason: string, { cause, todo }: { cause?: unknown; todo?: string } = {}) {
		const damaged =
			'start the server, which goes on with the rows that are proven intact; ' +
			`or keep a copy of it and of ${path}-wal, put a good copy in its place, and try again`;
		const advice = todo ?? (isDamage(cause) ? damaged : 'mend that, and try again');
		super(`The journal ${path} cannot be used: ${reason}. ${IRREPLACEABLE}: ${advice}.`, { cause });
		this.reason = reason;
	}
}

/** A row could not be written: nothing was changed, and the caller may retry. */
export class JournalUnwritten extends Error {
	constructor(why: string) {
		super(`The journal could not be written, so nothing was changed: ${why.replace(/\.$/, '')}.`);
	}
}

/** What to do when the files of an open journal are no longer there. */
export const HOW_TO_RESTORE = sentence(
	'put the files back that were there, or stop the server and start it with those that shall count',
);

/** What to do when the files of an open journal are damaged. */
export const HOW_TO_REPAIR = sentence(
	'stop the server and start it again: it goes on in a new book, with the rows that are proven intact',
);

/** Whether the file's content is wrong, and not its path or rights. */
export function isDamagedFile(error: unknown): boolean {
	const root = rootOf(error);
	return isDatabaseFailure(root) && /^SQLITE_(?:CORRUPT|NOTADB)/.test(root.code);
}

/** Without a cause the file itself is wrong. */
function isDamage(cause: unknown): boolean {
	if (cause === undefined || cause instanceof SyntaxError) return true;
	return isDatabaseFailure(cause) && /^SQLITE_(?:NOTADB|CORRUPT|ERROR)/.test(cause.code);
}

/** Any error of the journal at `path`, as a JournalFailure. */
export function journalFailure(path: string, error: unknown): JournalFailure {
	if (error instanceof JournalFailure) return error;
	if (!isMissingTable(error)) return new JournalFailure(path, reasonOf(error), { cause: error });
	const lost = `it holds no journal; perhaps it was copied without ${path}-wal, which holds the newest rows`;
	return new JournalFailure(path, lost, { cause: error });
}

/** Whether the file is a database, but no journal. */
export function isMissingTable(error: unknown): boolean {
	return isDatabaseFailure(error) && /^no such (?:table|column)/.test(error.message);
}

/** Opens the journal for reading, and never creates one. Throws JournalFailure. */
export function openJournalFile(path: string): Database {
	try {
		// Opening a FIFO would block.
		if (!statSync(path).isFile()) throw new JournalFailure(path, 'it is no regular file');
		closeSync(openSync(path, 'r'));
		if (statSync(path).size === 0) throw new JournalFailure(path, 'it is empty');
		return openDatabase(path, { readonly: true, fileMustExist: true });
	} catch (error) {
		throw journalFailure(path, error);
	}
}

/** Whether anything is at the journal's path. Throws JournalFailure if that cannot be checked. */
export function hasJournal(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch (error) {
		throw journalFailure(path, error);
	}
}

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
 * Throws JournalFailure if a newer program has changed the tables: our rows would break the chain, and its rows would look
 * tampered with.
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
