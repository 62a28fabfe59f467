import {
	closeSync,
	copyFileSync,
	existsSync,
	linkSync,
	mkdtempSync,
	openSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breakWords } from '#lib/audit/audit-report.ts';
import { appendToJournal } from '../testing/append-to-journal.ts';
import type { JournalKind } from '../timeline/store/journal-store.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { openJournalReads, openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { notePlacedHead } from './anchor-scheduler.ts';
import { mendJournal } from './mend-journal.ts';
import { verifyJournal } from './verify-journal.ts';

const PAGE = 4096;
const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const KEPT = 'journal-2026-11-22T10-00-00.000Z.db';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'mend-'));
});
afterEach(() => rmSync(home, { recursive: true }));
const path = () => join(home, 'journal.db');
const at = (name: string) => join(home, name);

function add(id: string, kind: JournalKind, subject: string) {
	appendToJournal(path(), { id, kind, subject, payload: { reason: 'x'.repeat(1500) } });
}
/** A journal of tokens, the last of which is revoked by the last row; each row with a page of its own, about. */
function withTokens(count = 30) {
	for (let n = 1; n <= count; n += 1) add(`mint-${n}`, 'token:mint', `token-${n}`);
	add('filler', 'setting:change', 'x');
	add('revoke', 'token:revoke', 'token-1');
}
function spoil(page: number, bytes = Buffer.alloc(PAGE, 0x5a)) {
	const file = openSync(path(), 'r+');
	writeSync(file, bytes, 0, bytes.length, page * PAGE);
	closeSync(file);
}
const report = () => verifyJournal(path(), [], { everySignature: true });
function idsOf(file = path()) {
	const sqlite = openDatabase(file, { readonly: true });
	const ids = sqlite.prepare('SELECT id FROM journal WHERE kind <> ? ORDER BY n').pluck().all('journal:follow');
	sqlite.close();
	return ids as string[];
}

test('a journal that is whole, and a home without one, are left as they are', () => {
	expect(mendJournal(path(), NOW)).toBeNull();
	expect(readdirSync(home)).toEqual([]);
	withTokens(3);
	expect(mendJournal(path(), NOW)).toBeNull();
	expect(report()).toMatchObject({ rows: 5, bad: null, breaks: [] });
	// A first start that was cut off: the file is there, and nothing was written.
	for (const name of readdirSync(home)) rmSync(at(name));
	writeFileSync(path(), '');
	expect(mendJournal(path(), NOW)).toBeNull();
});

test('R1186 whichever page is damaged, the journal continues with its proven rows, linked to them; the former journal is kept', () => {
	withTokens();
	const all = idsOf();
	const whole = at('whole.db');
	copyFileSync(path(), whole);
	copyFileSync(at('journal.seen'), at('whole.seen'));
	const pages = statSync(path()).size / PAGE;
	let mended = 0;
	for (let page = 0; page < pages; page += 1) {
		copyFileSync(whole, path());
		copyFileSync(at('whole.seen'), at('journal.seen'));
		spoil(page, Buffer.alloc(PAGE, page % 2 === 0 ? 0 : 0x5a));
		const mending = mendJournal(path(), NOW + page);
		// A page of which nothing is read.
		if (!mending) continue;
		mended += 1;
		const now = report();
		expect([page, now.bad]).toEqual([page, null]);
		expect(now.breaks).toMatchObject([{ n: mending.n, reason: 'damaged', kept: mending.kept }]);
		const ids = idsOf();
		const intact = mending.after?.n ?? 0;
		expect(ids.slice(0, intact)).toEqual(all.slice(0, intact));
		expect(mending.n).toBe(all.length + 1);
		expect(now.breaks[0]?.after?.n).toBe(intact === 0 ? undefined : intact);
		expect(existsSync(at(mending.kept ?? ''))).toBe(true);
		expect(mendJournal(path(), NOW)).toBeNull();
		add(`later-${page}`, 'token:mint', 'later');
		expect(report()).toMatchObject({ bad: null, head: { n: mending.n + ids.length - intact + 1 } });
	}
	expect(mended).toBeGreaterThan(pages / 2);
});

test('R1186 a token that was revoked behind the damage stays revoked', () => {
	withTokens();
	const sqlite = openDatabase(path());
	const page = sqlite.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'journal_payload'").pluck().get();
	sqlite.exec('DROP TRIGGER journal_payload_no_update');
	sqlite.exec("UPDATE journal_payload SET body = 'garbage' WHERE n = 12");
	sqlite.close();
	expect(page).toBeDefined();
	const mending = mendJournal(path(), NOW);
	expect(mending).toMatchObject({ after: { n: 11 }, n: 33, what: 'is damaged (the payload of row 12 cannot be read)' });
	expect(idsOf()).toEqual([...Array.from({ length: 11 }, (_, n) => `mint-${n + 1}`), 'revoke']);
	const reads = openJournalReads(path());
	expect(reads.bySubject('token-1').map(({ kind }) => kind)).toEqual(['token:mint', 'token:revoke']);
	expect(reads.bySubject('token-2').map(({ kind }) => kind)).toEqual(['token:mint']);
	reads.close();
	expect(breakWords(33, mending as never)).toBe(
		'The journal is damaged (the payload of row 12 cannot be read). Rows 12 to 32 are lost, with whatever they let in or ' +
			`decided; it goes on with row 33 in a new book; what was there is kept as ${KEPT}.`,
	);
});

test.each([
	['is gone', () => rmSync(path()), 'gone'],
	['is empty', () => writeFileSync(path(), ''), 'empty'],
	['was overwritten', () => writeFileSync(path(), 'no database '.repeat(1000)), 'damaged'],
])('a journal that %s while no server runs is noticed, and continues after its last number', (_, lose, reason) => {
	withTokens(3);
	notePlacedHead(home, { n: 7, hash: 'a'.repeat(64), ts: '2026-11-22T09:00:00.000Z', place: 'a note' });
	lose();
	const mending = mendJournal(path(), NOW);
	expect(mending).toMatchObject({ reason, n: 8, after: null, known: { n: 5 } });
	expect(report()).toMatchObject({ bad: null, rows: 1, head: { n: 8 }, breaks: [{ n: 8, reason }] });
	expect(mendJournal(path(), NOW)).toBeNull();
	add('later', 'token:mint', 'later');
	expect(report().head?.n).toBe(9);
	// An anchored head of a row that is recorded as lost contradicts nothing; the same head for another row does.
	const head = { n: 7, hash: 'a'.repeat(64), ts: '', place: 'a note' };
	expect(verifyJournal(path(), [head])).toMatchObject({ bad: null, unanchored: 2 });
	expect(verifyJournal(path(), [{ ...head, n: 8 }]).bad).toMatchObject({ n: 8 });
});

test('an older journal in its place, and another one, are recorded in a row of their own', () => {
	withTokens(3);
	copyFileSync(path(), at('older.db'));
	add('newest', 'token:mint', 'newest');
	copyFileSync(at('older.db'), path());
	expect(mendJournal(path(), NOW)).toMatchObject({ reason: 'shorter', n: 7, after: { n: 5 }, known: { n: 6 } });
	expect(report()).toMatchObject({ bad: null, rows: 6, breaks: [{ n: 7, reason: 'shorter' }] });
	copyFileSync(at('older.db'), path());
	for (const id of ['a', 'b', 'c']) add(id, 'token:mint', id);
	rmSync(at('journal.seen'));
	writeFileSync(at('journal.seen'), JSON.stringify({ n: 6, hash: 'b'.repeat(64) }));
	expect(mendJournal(path(), NOW)).toMatchObject({ reason: 'other', n: 9, what: 'row 6 is another one' });
	expect(report()).toMatchObject({ bad: null, rows: 9 });
});

test.each([
	['deleted', () => rmSync(join(home, 'journal.key')), 'was gone'],
	['emptied', () => writeFileSync(join(home, 'journal.key'), ''), 'was empty'],
])('a key that was %s is made again, and the journal records it', (_, lose, what) => {
	withTokens(3);
	lose();
	expect(mendJournal(path(), NOW)).toMatchObject({ reason: 'key', n: 6, what });
	expect(report()).toMatchObject({ bad: null, rows: 6, breaks: [{ n: 6, reason: 'key' }] });
	expect(mendJournal(path(), NOW)).toBeNull();
});

test('R1186 a mend that is cut off is begun again, with the log that the former journal had', () => {
	withTokens();
	const reader = openDatabase(path());
	reader.prepare('SELECT 1 FROM journal').get();
	add('in the log', 'token:revoke', 'token-2');
	copyFileSync(`${path()}-wal`, at('kept-log'));
	reader.close();
	spoil(Math.floor(statSync(path()).size / PAGE) - 3);
	// As a power cut leaves it: the journal has both names, its log only the new one.
	linkSync(path(), at('journal-2026-11-21T00-00-00.000Z.db'));
	copyFileSync(at('kept-log'), at('journal-2026-11-21T00-00-00.000Z.db-wal'));
	const mending = mendJournal(path(), NOW);
	expect(mending?.kept).toBe('journal-2026-11-21T00-00-00.000Z.db');
	expect(report()).toMatchObject({ bad: null, breaks: [{ reason: 'damaged' }] });
	expect(readdirSync(home).filter((name) => name.startsWith('journal-'))).toHaveLength(2);
	expect(mendJournal(path(), NOW)).toBeNull();
});

test('a command that finds the journal missing reports it, and creates none', async () => {
	withTokens(2);
	rmSync(path());
	await expect(openSqliteJournal(path())).rejects.toThrow(
		/it is gone, although a journal was here once.*start the server/,
	);
	expect(existsSync(path())).toBe(false);
});
