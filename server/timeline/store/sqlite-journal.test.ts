import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { appendToJournal } from '../../testing/append-to-journal.ts';
import { builtChild } from '../../testing/built-child.ts';
import type { JournalDraft, JournalKind } from './journal-store.ts';
import { openDatabase } from './open-database.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'signalbox-journal-')), 'home', 'journal.db');
const draft = (id: string, kind: JournalKind, subject = 'a1', extra: Partial<JournalDraft> = {}): JournalDraft => ({
	id,
	kind,
	subject,
	payload: { note: '語' },
	...extra,
});

test('a row is kept as it was given, with its number and time, for good', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	const request = await store.append(draft('r1', 'approval:request', 'a1', { sessionId: 's1' }));
	const mint = await store.append(draft('t1', 'token:mint', 'hash'));
	expect(request).toEqual({
		...draft('r1', 'approval:request', 'a1', { sessionId: 's1' }),
		n: 1,
		ts: expect.any(String),
	});
	expect(mint?.n).toBe(2);
	await store.close();
	const again = await openSqliteJournal(path);
	expect(again.bySubject('a1')).toEqual([request]);
	expect(again.byKind(['approval:request', 'token:mint'], { limit: 10 })).toEqual([request, mint]);
	expect(again.byKind(['approval:request', 'token:mint'], { limit: 1 })).toEqual([mint]);
	expect(again.byKind(['token:mint'], { sinceMs: Date.now() + 60_000, limit: 10 })).toEqual([]);
	expect(again.byKind(['token:mint'], { sinceMs: Date.now() - 60_000, limit: 10 })).toEqual([mint]);
	expect([again.has('r1'), again.has('r2')]).toEqual([true, false]);
	await again.close();
});

test('the valid entries of a kind are read at once, whatever else was written since', async () => {
	const store = await openSqliteJournal(newPath());
	const old = await store.append(draft('t1', 'token:mint', 'old'));
	await store.append(draft('t2', 'token:mint', 'gone'));
	await store.append(draft('t3', 'token:revoke', 'gone'));
	for (let index = 0; index < 20; index += 1) await store.append(draft(`l${index}`, 'login:open', `login-${index}`));
	const fresh = await store.append(draft('t4', 'token:mint', 'fresh'));
	await store.append(draft('t5', 'login:close', 'fresh'));
	expect(store.openRows('token:mint', 'token:revoke', 10)).toEqual([old, fresh]);
	expect(store.openRows('token:mint', 'token:revoke', 1)).toEqual([fresh]);
	expect(store.openRows('passkey:enrol', 'passkey:revoke', 10)).toEqual([]);
	await store.close();
});

test('of many that decide at once, one does', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	const outcomes: JournalKind[] = ['approval:resolve', 'approval:expire', 'approval:abandon'];
	const tries = Array.from({ length: 30 }, (_, n) =>
		store.append(draft(`d${n}`, outcomes[n % 3] ?? 'approval:resolve'), outcomes),
	);
	const rows = (await Promise.all(tries)).filter((row) => row !== null);
	expect(rows).toHaveLength(1);
	expect(store.bySubject('a1')).toEqual(rows);
	expect(await store.append(draft('other', 'approval:resolve', 'a2'), outcomes)).not.toBeNull();
	await store.close();
});

test('R72 a kept row can be neither changed, nor deleted, nor replaced', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	const row = await store.append(draft('r1', 'approval:resolve'));
	const sqlite = openDatabase(path);
	for (const attack of [
		"UPDATE journal SET kind = 'grant:create'",
		'DELETE FROM journal',
		"INSERT OR REPLACE INTO journal (n, id, ts, kind, subject, hash) VALUES (1, 'x', '', '', '', '')",
		"INSERT OR REPLACE INTO journal (id, ts, kind, subject, hash) VALUES ('r1', '', '', '', '')",
		"INSERT INTO journal (id, ts, kind, subject) VALUES ('r2', '', '', '')",
		"INSERT INTO journal (n, id, ts, kind, subject, hash) VALUES (9, 'r9', '', '', '', '')",
		"UPDATE journal_payload SET body = '{}'",
		'DELETE FROM journal_payload',
		"INSERT OR REPLACE INTO journal_payload (n, body, sealed) VALUES (1, '{}', 1)",
	]) {
		expect(() => sqlite.exec(attack)).toThrow(/append-only/);
	}
	sqlite.close();
	await expect(store.append(draft('r1', 'approval:expire'))).rejects.toThrow(/append-only: this id is taken/);
	expect(store.bySubject('a1')).toEqual([row]);
	await store.close();
});

test('rows that another process appends are seen at once, and a command needs no server', async () => {
	const path = newPath();
	const minted = appendToJournal(path, draft('t1', 'token:mint', 'hash'));
	expect(minted?.n).toBe(1);
	const store = await openSqliteJournal(path);
	expect(store.has('t1')).toBe(true);
	const used = appendToJournal(path, draft('u1', 'link:use', 'hash'), ['link:use']);
	expect(store.bySubject('hash')).toEqual([minted, used]);
	expect(await store.append(draft('u2', 'link:use', 'hash'), ['link:use'])).toBeNull();
	await store.close();
});

test('approvals and grants wait in the outbox until they were published; other kinds never do', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	const first = await store.append(draft('r1', 'approval:request'));
	await store.append(draft('t1', 'token:mint'));
	const second = await store.append(draft('g1', 'grant:create'));
	expect(store.unpublished(10)).toEqual([first, second]);
	expect(store.unpublished(1)).toEqual([first]);
	await store.markPublished(first?.n ?? 0);
	await store.markPublished(first?.n ?? 0);
	await store.close();
	const again = await openSqliteJournal(path);
	expect(again.unpublished(10)).toEqual([second]);
	expect(again.has('r1')).toBe(true);
	await again.close();
});

test('when the writer dies, appends in flight are refused clearly and the next one is kept', async () => {
	const path = newPath();
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-worker-'));
	const worker = join(folder, 'worker.mjs');
	const real = new URL('./journal-worker-from-source.mjs', import.meta.url).href;
	writeFileSync(
		worker,
		`import { parentPort } from 'node:worker_threads';
		parentPort.on('message', (task) => { if (task.draft?.id === 'deadly') process.exit(3); });
		await import(${JSON.stringify(real)});`,
	);
	const store = await openSqliteJournal(path, { workerUrl: pathToFileURL(worker) });
	const lost = await Promise.allSettled([
		store.append(draft('deadly', 'approval:request')),
		store.append(draft('beside', 'approval:request')),
	]);
	for (const outcome of lost) {
		expect(outcome).toMatchObject({
			status: 'rejected',
			reason: { message: expect.stringMatching(/writer stopped.*try again/) },
		});
	}
	expect(await store.append(draft('r1', 'approval:request'))).toMatchObject({ id: 'r1' });
	await store.close();
	await expect(store.append(draft('r2', 'approval:request'))).rejects.toThrow(/closed/);
});

test('a journal that cannot be opened is reported', async () => {
	const path = newPath();
	appendToJournal(path, draft('r1', 'approval:request'));
	writeFileSync(path, 'no database '.repeat(1000));
	await expect(openSqliteJournal(path)).rejects.toThrow(
		/journal.db cannot be used: it is not a database.* keep a copy of it/,
	);
	expect(() => appendToJournal(path, draft('r2', 'approval:request'))).toThrow(/cannot be used/);
});

test('a journal that was emptied is not started again; one that was never written is', async () => {
	const path = newPath();
	appendToJournal(path, draft('r1', 'approval:request'));
	for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
	writeFileSync(path, '');
	await expect(openSqliteJournal(path)).rejects.toThrow(/journal.db cannot be used: it is empty.* keep a copy of it/);
	expect(statSync(path).size).toBe(0);
	for (const trace of ['journal.key', 'journal.seen']) rmSync(join(dirname(path), trace));
	await (await openSqliteJournal(path)).close();
});

test('R1010 what would not be found again is not written: a journal whose files were taken away or replaced', async () => {
	for (const file of ['journal.db', 'journal.db-wal', 'journal.db-shm']) {
		const path = newPath();
		const store = await openSqliteJournal(path);
		await store.append(draft('r1', 'approval:request'));
		const at = join(dirname(path), file);
		renameSync(at, `${at}.away`);
		await expect(store.append(draft('r2', 'approval:resolve'))).rejects.toThrow(
			/could not be written, so nothing was changed: .*the file was removed.*put the files back/,
		);
		writeFileSync(at, 'older');
		await expect(store.append(draft('r2', 'approval:resolve'))).rejects.toThrow(/another file was put in its place/);
		expect(store.has('r2')).toBe(false);
		renameSync(`${at}.away`, at);
		expect((await store.append(draft('r2', 'approval:resolve')))?.n).toBe(2);
		await store.close();
	}
});

test('a row goes into no file that others have spoilt meanwhile, also before anybody has looked', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	for (let n = 0; n < 20; n += 1) await store.append(draft(`r${n}`, 'setting:change'));
	const other = openDatabase(path);
	other.pragma('wal_checkpoint(TRUNCATE)');
	other.close();
	// What another process has moved into the file is no damage.
	await store.append(draft('r20', 'setting:change'));
	const file = openSync(path, 'r+');
	for (let page = 1; page < 8; page += 1) writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
	closeSync(file);
	await expect(store.append(draft('late', 'approval:resolve'))).rejects.toThrow(/could not be written.*damaged/);
	expect(store.distrusted()).toMatch(/damaged/);
	await expect(store.append(draft('later', 'approval:resolve'))).rejects.toThrow(/start it again/);
	await store.close().catch(() => undefined);
});

test('a FIFO in the journal’s place is refused, not waited for', async () => {
	const path = newPath();
	mkdirSync(dirname(path), { recursive: true });
	execFileSync('mkfifo', [path]);
	expect(() => appendToJournal(path, draft('r1', 'approval:request'))).toThrow(/not a regular file/);
});

test('several processes that open a new journal and write at once lose nothing', async () => {
	const path = newPath();
	const program = await builtChild('mint-child');
	const exits = await Promise.all(
		['a', 'b', 'c', 'd'].map((name) =>
			once(spawn(process.execPath, [program, path, name], { stdio: 'inherit' }), 'exit'),
		),
	);
	expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0]);
	const store = await openSqliteJournal(path);
	expect(store.byKind(['link:mint'], { limit: 1000 })).toHaveLength(40);
	expect(store.byKind(['link:use'], { limit: 1000 })).toHaveLength(10);
	await store.close();
});

test('the journal is for its owner alone', async () => {
	const path = newPath();
	const store = await openSqliteJournal(path);
	await store.append(draft('r1', 'approval:request'));
	expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
	for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
	await store.close();
});
