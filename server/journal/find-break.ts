import { existsSync, statSync } from 'node:fs';
import { isBlank } from '#hooks-bridge/disk/write-durably.ts';
import type { JournalBreak, JournalHead } from '#lib/contract/health/audit.ts';
import { reasonOf } from '../process/failure-words.ts';
import { isDamagedFile, isMissingTable, journalFailure, openJournalFile } from '../timeline/store/journal-failure.ts';
import { whatIsLost } from '../timeline/store/journal-files.ts';
import { readSeen } from '../timeline/store/journal-seen.ts';
import { keyPath } from '../timeline/store/journal-signer.ts';
import { refuseNewerJournal } from '../timeline/store/journal-version.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { formerJournalOf } from './replace-journal.ts';

/** What is wrong with a journal before it is opened. */
export type FoundBreak = Pick<JournalBreak, 'reason' | 'what' | 'after' | 'known'>;

/**
 * Looks at a home's journal before a server opens it: whether it is there, whole, and the one that this home remembers.
 * Null where it is, or where there never was one. Throws JournalFailure where the file cannot be used, but the way it was
 * can be had back: no rights, a newer program's, a copy without its log.
 */
export function findBreak(path: string): FoundBreak | null {
	const known = readSeen(path);
	const lost = whatIsLost(path);
	if (lost !== null) return { reason: lost, what: `was ${lost} when the server started`, after: null, known };
	const size = statSync(path, { throwIfNoEntry: false })?.size;
	if (size === undefined) return null;
	// Without its first page the log beside it says nothing any more.
	const what = 'was empty when the server started';
	if (size === 0) return known || hasKey(path) ? { reason: 'empty', what, after: null, known } : null;
	const nameDamage = (why: string) => ({ reason: 'damaged' as const, what: `is damaged (${why})`, after: null, known });
	if (formerJournalOf(path) !== null) return nameDamage('what mended it was cut off');
	let sqlite: Database | undefined;
	try {
		sqlite = openJournalFile(path);
		refuseNewerJournal(sqlite);
		const wrong = whatIsDamaged(sqlite);
		return wrong === null ? compare(sqlite, path, known) : nameDamage(wrong);
	} catch (error) {
		if (isDamagedFile(error)) return nameDamage(reasonOf(error));
		// A first start that was cut off before the first table; nothing was signed then.
		if (isMissingTable(error) && known === null && !hasKey(path)) return null;
		throw journalFailure(path, error);
	} finally {
		sqlite?.close();
	}
}

const hasKey = (path: string) => existsSync(keyPath(path)) && !isBlank(keyPath(path));

/** Pages that are no pages, and payloads that are none; what fits in itself is for the chain to judge. */
function whatIsDamaged(sqlite: Database): string | null {
	const found = sqlite.pragma('quick_check(1)', { simple: true });
	if (found !== 'ok') return String(found).split('\n').at(-1) ?? '';
	const garbled = sqlite.prepare('SELECT n FROM journal_payload WHERE NOT json_valid(body) LIMIT 1').pluck().get();
	return garbled === undefined ? null : `the payload of row ${String(garbled)} cannot be read`;
}

function compare(sqlite: Database, path: string, known: JournalHead | null): FoundBreak | null {
	const newest = sqlite.prepare<[], JournalHead>('SELECT n, hash FROM journal ORDER BY n DESC LIMIT 1').get() ?? null;
	const hashAt = sqlite.prepare<[number], string | null>('SELECT hash FROM journal WHERE n = ?').pluck();
	const found = known === null ? null : hashAt.get(known.n);
	const all = { after: newest, known };
	if (known !== null && found === undefined) {
		const what = `ended at row ${newest?.n ?? 0} when the server started, although this home had row ${known.n}`;
		return { reason: 'shorter', what, ...all };
	}
	if (known !== null && found !== known.hash) {
		return { reason: 'other', what: `row ${known.n} is another one`, ...all };
	}
	if (newest === null || hasKey(path)) return null;
	return { reason: 'key', what: existsSync(keyPath(path)) ? 'was empty' : 'was gone', ...all };
}
