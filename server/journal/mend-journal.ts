import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBlank, syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import type { JournalBreak, JournalHead } from '#lib/contract/health/audit.ts';
import { reasonOf } from '../process/failure-words.ts';
import { openPayload, type SealedPayload } from '../timeline/store/journal-chain.ts';
import {
	isDamagedFile,
	isMissingTable,
	journalFailure,
	openJournalFile,
	refuseNewerJournal,
} from '../timeline/store/journal-failure.ts';
import { identityOf, readSeen, whatIsLost, writeSeen } from '../timeline/store/journal-files.ts';
import { type Chain, openChain, rowWriter } from '../timeline/store/journal-links.ts';
import { type JournalSigner, keyPath, openJournalSigner } from '../timeline/store/journal-signer.ts';
import type { JournalKind } from '../timeline/store/journal-store.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { readPlacedHeads } from './anchor-scheduler.ts';
import { isVouchedFor, provenRows, type StoredRow } from './verify-journal.ts';

type FoundBreak = Pick<JournalBreak, 'reason' | 'what' | 'after' | 'known'>;

/**
 * Repairs a journal before it is opened (docs/decisions/0054). A missing, empty or damaged one is replaced by its proven rows; an
 * older one, another home's or one without key continues in place. A row records the break, and is returned; null if intact. Only
 * for the holder of the home's lock. Throws JournalFailure if the file may be recoverable.
 */
export function mendJournal(path: string, now: number): ({ n: number } & JournalBreak) | null {
	const found = findBreak(path);
	if (found === null) return null;
	const signer = openJournalSigner(path);
	const isReadable = ['shorter', 'other', 'key'].includes(found.reason);
	const notice = isReadable ? continueInside(path, found, signer, now) : startNewJournal(path, found, signer, now);
	if (notice.head) writeSeen(path, notice.head);
	return notice;
}

/** What is wrong with a home's journal; null if it is intact and the expected one, or never existed. */
function findBreak(path: string): FoundBreak | null {
	const known = readSeen(path);
	const breakOf = (reason: FoundBreak['reason'], what: string) => ({ reason, what, after: null, known });
	const lost = whatIsLost(path);
	if (lost !== null) return breakOf(lost, `was ${lost} when the server started`);
	const size = statSync(path, { throwIfNoEntry: false })?.size;
	if (size === undefined) return null;
	// The write-ahead log is useless without the first page of its file.
	if (size === 0) return known || hasKey(path) ? breakOf('empty', 'was empty when the server started') : null;
	if (formerJournalOf(path) !== null) return breakOf('damaged', 'is damaged (what mended it was cut off)');
	let sqlite: Database | undefined;
	try {
		sqlite = openJournalFile(path);
		refuseNewerJournal(sqlite);
		const damage = findDamage(sqlite);
		return damage === null ? compareWithSeen(sqlite, path, known) : breakOf('damaged', `is damaged (${damage})`);
	} catch (error) {
		if (isDamagedFile(error)) return breakOf('damaged', `is damaged (${reasonOf(error)})`);
		// An interrupted first start before the first table: nothing was signed then.
		if (isMissingTable(error) && known === null && !hasKey(path)) return null;
		throw journalFailure(path, error);
	} finally {
		sqlite?.close();
	}
}

const hasKey = (path: string) => existsSync(keyPath(path)) && !isBlank(keyPath(path));

/** Damaged pages and payloads; readable rows are checked by the chain. */
function findDamage(sqlite: Database): string | null {
	const found = sqlite.pragma('quick_check(1)', { simple: true });
	if (found !== 'ok') return String(found).split('\n').at(-1) ?? '';
	const garbled = sqlite.prepare('SELECT n FROM journal_payload WHERE NOT json_valid(body) LIMIT 1').pluck().get();
	return garbled === undefined ? null : `the payload of row ${String(garbled)} cannot be read`;
}

function compareWithSeen(sqlite: Database, path: string, known: JournalHead | null): FoundBreak | null {
	const newest = sqlite.prepare<[], JournalHead>('SELECT n, hash FROM journal ORDER BY n DESC LIMIT 1').get() ?? null;
	const hashAt = sqlite.prepare<[number], string | null>('SELECT hash FROM journal WHERE n = ?').pluck();
	const found = known === null ? null : hashAt.get(known.n);
	const breakOf = (reason: FoundBreak['reason'], what: string) => ({ reason, what, after: newest, known });
	if (known !== null && found === undefined) {
		const what = `ended at row ${newest?.n ?? 0} when the server started, although this home had row ${known.n}`;
		return breakOf('shorter', what);
	}
	if (known !== null && found !== known.hash) return breakOf('other', `row ${known.n} is another one`);
	if (newest === null || hasKey(path)) return null;
	return breakOf('key', existsSync(keyPath(path)) ? 'was empty' : 'was gone');
}

function continueInside(path: string, found: FoundBreak, signer: JournalSigner, now: number) {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, signer);
		const n = found.reason === 'key' ? (found.after?.n ?? 0) + 1 : numberAfter(path, found, 0);
		return sqlite.transaction(() => addNotice(chain, n, { ...found, kept: null }, now)).immediate();
	} finally {
		sqlite.close();
	}
}

function addNotice(chain: Chain, n: number, notice: JournalBreak, now: number) {
	const ts = new Date(now).toISOString();
	chain.add({ id: randomUUID(), ts, kind: 'journal:follow', subject: 'journal', payload: notice }, n);
	return { ...notice, n, head: chain.head() };
}

/** Numbers that rows of the former journal may have used are not used again. */
function numberAfter(path: string, found: FoundBreak, highest: number): number {
	const anchored = readPlacedHeads(dirname(path)).map(({ n }) => n);
	return Math.max(highest, found.after?.n ?? 0, found.known?.n ?? 0, ...anchored) + 1;
}

/** Writes a new journal to disk, then renames it over the former one, which is kept beside it. */
function startNewJournal(path: string, found: FoundBreak, signer: JournalSigner, now: number) {
	const kept = linkFormerJournal(path, now);
	const keptPath = kept && join(dirname(path), kept);
	const former = found.reason === 'damaged' && keptPath ? openJournalFile(keptPath) : null;
	const draft = `${path}.new`;
	for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
	const sqlite = openSqlite(draft, 'FULL', 'journal');
	const keys = new Map([[signer.name, signer.publicKey]]);
	const write = sqlite.transaction(() => {
		const { after, highest } = former ? copyProven(former, sqlite, keys) : { after: null, highest: 0 };
		const chain = openChain(sqlite, signer);
		const notice = addNotice(chain, numberAfter(path, found, highest), { ...found, after, kept }, now);
		for (const row of former ? lostEndings(former, after?.n ?? 0, keys) : []) chain.add(row);
		return { ...notice, head: chain.head() };
	});
	let notice: ReturnType<typeof write>;
	try {
		notice = write();
		// One file, without a log beside it: it gets its name in one step.
		sqlite.pragma('journal_mode = DELETE');
	} finally {
		sqlite.close();
		former?.close();
		if (keptPath) rmSync(`${keptPath}-shm`, { force: true });
	}
	// A log of the former journal must never be beside the new one.
	for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
	syncFolder(dirname(path));
	renameSync(draft, path);
	syncFolder(dirname(path));
	return notice;
}

const FORMER = /^journal-[\dTZ.-]+\.db$/;

/** Hard links to the former journal and its log, so that a power cut loses neither. */
function linkFormerJournal(path: string, at: number): string | null {
	const linked = formerJournalOf(path);
	if (linked !== null) return linked;
	const name = `journal-${new Date(at).toISOString().replaceAll(':', '-')}.db`;
	const kept = join(dirname(path), name);
	// The log first, since SQLite looks for it beside the journal's name.
	for (const suffix of ['-wal', '']) if (identityOf(path + suffix)) linkSync(path + suffix, kept + suffix);
	syncFolder(dirname(path));
	return identityOf(kept) || identityOf(`${kept}-wal`) ? name : null;
}

function formerJournalOf(path: string): string | null {
	const isSame = (name: string) => identityOf(join(dirname(path), name)) === identityOf(path);
	return readdirSync(dirname(path)).find((name) => FORMER.test(name) && isSame(name)) ?? null;
}

/** Copies the proven rows. `highest` is the highest number that a row of the former journal may have had. */
function copyProven(former: Database, sqlite: Database, keys: ReadonlyMap<string, string>) {
	const putRow = rowWriter(sqlite);
	let after: JournalHead | null = null;
	for (const row of provenRows(former, keys)) {
		putRow(row, row.body);
		after = { n: row.n, hash: row.hash ?? '' };
	}
	const upTo = after?.n ?? 0;
	const putKey = sqlite.prepare('INSERT OR IGNORE INTO journal_key (name, public_key) VALUES (@name, @publicKey)');
	for (const key of readAll(former, 'SELECT name, public_key AS publicKey FROM journal_key')) putKey.run(key);
	const putUnpublished = sqlite.prepare('INSERT INTO outbox (n) VALUES (@n)');
	for (const row of readAll(former, `SELECT n FROM outbox WHERE n <= ${upTo}`)) putUnpublished.run(row);
	const highest = [
		"SELECT seq AS n FROM sqlite_sequence WHERE name = 'journal'",
		'SELECT max(n) AS n FROM journal',
	].flatMap((query) => readAll<{ n: number | null }>(former, query).map(({ n }) => n ?? 0));
	return { after, highest: Math.max(upTo, ...highest) };
}

/** Rows that remove something permanently: damage must not restore a revoked sign-in, token or passkey. */
const ENDINGS: readonly string[] = [
	'link:use',
	'login:close',
	'token:revoke',
	'passkey:revoke',
	'grant:use',
	'grant:revoke',
	'grant:expire',
] satisfies JournalKind[];

const COLUMNS =
	'n, id, ts, kind, subject, session_id AS sessionId, payload_hash AS payloadHash, signer, hash, signature, NULL AS body';

/** Endings after the damage, oldest first: each readable, chained to its neighbour and signed by `keys`. */
function lostEndings(former: Database, after: number, keys: ReadonlyMap<string, string>) {
	const rows = new Map<number, StoredRow>();
	// From both ends: rows between the first and the last damaged page stay lost.
	for (const order of ['ASC', 'DESC']) {
		const query = `SELECT ${COLUMNS} FROM journal WHERE n > ${after} ORDER BY n ${order}`;
		for (const row of readAll<StoredRow>(former, query)) rows.set(row.n, row);
	}
	const endings = [...rows.values()].filter(({ kind }) => ENDINGS.includes(kind)).sort((a, b) => a.n - b.n);
	return endings.flatMap((row) => {
		const { n, id, ts, kind, subject, sessionId } = row;
		const [found] = readAll<{ body: string }>(former, `SELECT body FROM journal_payload WHERE n = ${n}`);
		const before = rows.get(n - 1);
		if (!found || !before || !isVouchedFor({ ...row, ...found }, before, keys)) return [];
		const { payload } = openPayload(JSON.parse(found.body) as SealedPayload);
		return [{ id, ts, kind: kind as JournalKind, subject, payload, ...(sessionId !== null && { sessionId }) }];
	});
}

function readAll<T>(former: Database, query: string): T[] {
	const found: T[] = [];
	try {
		for (const row of former.prepare<[], T>(query).iterate()) found.push(row);
	} catch {
		// The rest is lost.
	}
	return found;
}
