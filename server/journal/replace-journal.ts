import { linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import type { JournalHead } from '#lib/contract/health/audit.ts';
import { openChain } from '../timeline/store/journal-links.ts';
import type { JournalSigner } from '../timeline/store/journal-signer.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { provenRows, type StoredRow } from './verify-journal.ts';

const BESIDE = ['-wal', '-shm'] as const;
const FORMER = /^journal-[\dTZ.-]+\.db$/;

const KEYS = 'SELECT name AS key, public_key AS text FROM journal_key';
const HIGHEST = ["SELECT seq AS n FROM sqlite_sequence WHERE name = 'journal'", 'SELECT max(n) AS n FROM journal'];

/** What a new journal holds of a former one. */
export interface JournalStart {
	/** The last row that was taken over; null where none was. */
	after: JournalHead | null;
	/** The highest number that a row of the former journal may have had. */
	highest: number;
}

/** The name of the former journal that a new one is being made of; null unless that was cut off. */
export function formerJournalOf(path: string): string | null {
	const isSame = (name: string) => identityOf(join(dirname(path), name)) === identityOf(path);
	return readdirSync(dirname(path)).find((name) => FORMER.test(name) && isSame(name)) ?? null;
}

/**
 * Gives the former journal a name of its own beside the journal, with its log, and leaves it where it is: a power cut at any
 * moment leaves the one or the other. Null where there is nothing to keep. `at` in milliseconds.
 */
export function keepFormerJournal(path: string, at: number): string | null {
	const known = formerJournalOf(path);
	if (known !== null) return known;
	const name = `journal-${new Date(at).toISOString().replaceAll(':', '-')}.db`;
	const kept = join(dirname(path), name);
	// The log first: once the journal itself has its new name, nothing of it is looked for elsewhere.
	for (const suffix of ['-wal', '']) if (identityOf(path + suffix)) linkSync(path + suffix, kept + suffix);
	syncFolder(dirname(path));
	return identityOf(kept) || identityOf(`${kept}-wal`) ? name : null;
}

/**
 * Puts a new journal in the journal's place: `former` (open, or null) is read as far as it is proven, and `follow` writes
 * what comes after. All of it is on the disk before it has its name.
 */
export function replaceJournal(
	path: string,
	options: {
		former: Database | null;
		signer: JournalSigner;
		follow: (chain: ReturnType<typeof openChain>, start: JournalStart) => void;
	},
): void {
	const draft = `${path}.new`;
	for (const suffix of ['', ...BESIDE]) rmSync(draft + suffix, { force: true });
	const { former, signer, follow } = options;
	const newJournal = openSqlite(draft, 'FULL', 'journal');
	try {
		newJournal.transaction(() => {
			const start = former ? copyProven(former, newJournal, signer) : { after: null, highest: 0 };
			follow(openChain(newJournal, signer), start);
		})();
		// One file, without a log beside it: it gets its name in one step.
		newJournal.pragma('journal_mode = DELETE');
	} finally {
		newJournal.close();
	}
	// A log of the former journal must never stand beside the new one.
	for (const suffix of BESIDE) rmSync(path + suffix, { force: true });
	syncFolder(dirname(path));
	renameSync(draft, path);
	syncFolder(dirname(path));
}

function copyProven(former: Database, newJournal: Database, { name, publicKey }: JournalSigner): JournalStart {
	const putRow = newJournal.prepare<[StoredRow]>(
		`INSERT INTO journal (n, id, ts, kind, subject, session_id, payload_hash, signer, hash, signature)
		VALUES (@n, @id, @ts, @kind, @subject, @sessionId, @payloadHash, @signer, @hash, @signature)`,
	);
	const putPayload = newJournal.prepare('INSERT INTO journal_payload (n, body, sealed) VALUES (?, ?, 1)');
	let last: StoredRow | null = null;
	for (const row of provenRows(former, new Map([[name, publicKey]]))) {
		putRow.run(row);
		putPayload.run(row.n, row.body);
		last = row;
	}
	const upTo = last?.n ?? 0;
	const putKey = newJournal.prepare('INSERT OR IGNORE INTO journal_key (name, public_key) VALUES (?, ?)');
	for (const { key, text } of all<{ key: string; text: string }>(former, KEYS)) putKey.run(key, text);
	const putOwed = newJournal.prepare('INSERT INTO outbox (n) VALUES (?)');
	for (const { n } of all<{ n: number }>(former, 'SELECT n FROM outbox')) if (n <= upTo) putOwed.run(n);
	const numbers = HIGHEST.flatMap((question) => all<{ n: number | null }>(former, question));
	const highest = Math.max(upTo, ...numbers.map(({ n }) => n ?? 0));
	return { after: last && { n: upTo, hash: last.hash ?? '' }, highest };
}

/** All rows of a question, as far as a damaged file answers it. */
export function all<T>(former: Database, question: string): T[] {
	const found: T[] = [];
	try {
		for (const row of former.prepare<[], T>(question).iterate()) found.push(row);
	} catch {
		// What comes after is lost.
	}
	return found;
}

function identityOf(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false, bigint: true });
	return found && `${found.dev} ${found.ino}`;
}
