import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBlank, syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import type { JournalBreak, JournalHead } from '#lib/contract/health/audit.ts';
import { reasonOf } from '../process/failure-words.ts';
import { openPayload, type SealedPayload } from '../timeline/store/journal-chain.ts';
import { isDamagedFile, isMissingTable, journalFailure, openJournalFile } from '../timeline/store/journal-failure.ts';
import { whatIsLost } from '../timeline/store/journal-files.ts';
import { type Chain, openChain } from '../timeline/store/journal-links.ts';
import { readSeen, writeSeen } from '../timeline/store/journal-seen.ts';
import { type JournalSigner, keyPath, openJournalSigner } from '../timeline/store/journal-signer.ts';
import type { JournalDraft, JournalKind } from '../timeline/store/journal-store.ts';
import { refuseNewerJournal } from '../timeline/store/journal-version.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { readPlacedHeads } from './anchor-scheduler.ts';
import { isVouchedFor, provenRows, type StoredRow } from './verify-journal.ts';

/**
 * Before a server opens its journal: one that is gone, emptied or damaged goes on in a new journal with the rows that are
 * proven intact, and one that is not what this home remembers says so in a row of its own; the chain links both to what
 * was before, and nothing is deleted. Only whoever holds the home's lock may call it. Gives the row that tells of it,
 * null where all is well. Throws JournalFailure where the file cannot be used, `now` in milliseconds.
 */
export function mendJournal(path: string, now: number): ({ n: number } & JournalBreak) | null {
	const damage = findBreak(path);
	if (damage === null) return null;
	const signer = openJournalSigner(path);
	const notice = isStillThere(damage)
		? goOnInside(path, signer, damage, now)
		: continueInNewJournal(path, signer, damage, now);
	if (notice.head) writeSeen(path, notice.head);
	return notice;
}

const isStillThere = ({ reason }: FoundBreak) => reason === 'shorter' || reason === 'other' || reason === 'key';

/** Numbers that rows of the former journal may have had are not given again. */
function numberAfter(path: string, damage: FoundBreak, highest: number): number {
	const anchored = readPlacedHeads(dirname(path)).map(({ n }) => n);
	return Math.max(highest, damage.after?.n ?? 0, damage.known?.n ?? 0, ...anchored) + 1;
}

function tell(chain: Chain, at: number, notice: JournalBreak, now: number) {
	const ts = new Date(now).toISOString();
	chain.add({ id: randomUUID(), ts, kind: 'journal:follow', subject: 'journal', payload: notice }, at);
	return { ...notice, n: at, head: chain.head() };
}

function goOnInside(path: string, signer: JournalSigner, damage: FoundBreak, now: number) {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, signer);
		const at = damage.reason === 'key' ? (damage.after?.n ?? 0) + 1 : numberAfter(path, damage, 0);
		return sqlite.transaction(() => tell(chain, at, { ...damage, kept: null }, now)).immediate();
	} finally {
		sqlite.close();
	}
}

function continueInNewJournal(path: string, signer: JournalSigner, damage: FoundBreak, now: number) {
	const kept = keepFormerJournal(path, now);
	const keptPath = kept && join(dirname(path), kept);
	const former = damage.reason === 'damaged' && keptPath ? openJournalFile(keptPath) : null;
	let notice: ReturnType<typeof tell> | undefined;
	try {
		replaceJournal(path, {
			former,
			signer,
			follow(chain, { after, highest }) {
				notice = tell(chain, numberAfter(path, damage, highest), { ...damage, after, kept }, now);
				for (const row of endingsOf(former, after?.n ?? 0, signer)) chain.add(row);
				notice.head = chain.head();
			},
		});
	} finally {
		former?.close();
		if (keptPath) rmSync(`${keptPath}-shm`, { force: true });
	}
	if (!notice) throw new Error('The new journal tells nothing of the former one.');
	return notice;
}

function endingsOf(former: Database | null, after: number, { name, publicKey }: JournalSigner) {
	return former ? lostEndings(former, after, new Map([[name, publicKey]])) : [];
}

/** What is wrong with a journal before it is opened. */
type FoundBreak = Pick<JournalBreak, 'reason' | 'what' | 'after' | 'known'>;

/**
 * Looks at a home's journal before a server opens it: whether it is there, whole, and the one that this home remembers.
 * Null where it is, or where there never was one. Throws JournalFailure where the file cannot be used, but the way it was
 * can be had back: no rights, a newer program's, a copy without its log.
 */
function findBreak(path: string): FoundBreak | null {
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

/** What takes something away for good: a sign-in, token or passkey that was removed must not come back by damage. */
const ENDINGS: readonly JournalKind[] = [
	'link:use',
	'login:close',
	'token:revoke',
	'passkey:revoke',
	'grant:use',
	'grant:revoke',
	'grant:expire',
];

const COLUMNS =
	'n, id, ts, kind, subject, session_id AS sessionId, payload_hash AS payloadHash, signer, hash, signature, NULL AS body';

/** Rows behind the damage that end something, oldest first: each readable in itself, chained to its neighbour and signed by `keys`. */
function lostEndings(
	former: Database,
	after: number,
	keys: ReadonlyMap<string, string>,
): (JournalDraft & { ts: string })[] {
	const found = new Map<number, StoredRow>();
	// From both ends: what lies between the first and the last damaged page stays lost.
	for (const order of ['ASC', 'DESC']) {
		const question = `SELECT ${COLUMNS} FROM journal WHERE n > ${after} ORDER BY n ${order}`;
		for (const row of all<StoredRow>(former, question)) found.set(row.n, row);
	}
	const ends = [...found.values()].filter(({ kind }) => ENDINGS.some((one) => one === kind));
	return ends
		.sort((left, right) => left.n - right.n)
		.flatMap((row) => {
			const [payloadRow] = all<{ body: string }>(former, `SELECT body FROM journal_payload WHERE n = ${row.n}`);
			const whole = { ...row, body: payloadRow?.body ?? null };
			const before = found.get(row.n - 1);
			if (whole.body === null || !before || !isVouchedFor(whole, before, keys)) return [];
			const { id, ts, kind, subject, sessionId } = row;
			const { payload } = openPayload(JSON.parse(whole.body) as SealedPayload);
			return [{ id, ts, kind: kind as JournalKind, subject, payload, ...(sessionId !== null && { sessionId }) }];
		});
}

const BESIDE = ['-wal', '-shm'] as const;
const FORMER = /^journal-[\dTZ.-]+\.db$/;

const KEYS = 'SELECT name AS key, public_key AS text FROM journal_key';
const HIGHEST = ["SELECT seq AS n FROM sqlite_sequence WHERE name = 'journal'", 'SELECT max(n) AS n FROM journal'];

/** What a new journal holds of a former one. */
interface JournalStart {
	/** The last row that was taken over; null where none was. */
	after: JournalHead | null;
	/** The highest number that a row of the former journal may have had. */
	highest: number;
}

/** The name of the former journal that a new one is being made of; null unless that was cut off. */
function formerJournalOf(path: string): string | null {
	const isSame = (name: string) => identityOf(join(dirname(path), name)) === identityOf(path);
	return readdirSync(dirname(path)).find((name) => FORMER.test(name) && isSame(name)) ?? null;
}

/**
 * Gives the former journal a name of its own beside the journal, with its log, and leaves it where it is: a power cut at any
 * moment leaves the one or the other. Null where there is nothing to keep. `at` in milliseconds.
 */
function keepFormerJournal(path: string, at: number): string | null {
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
function replaceJournal(
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
function all<T>(former: Database, question: string): T[] {
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
