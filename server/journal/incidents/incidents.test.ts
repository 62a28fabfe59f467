import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { ProjectHealth } from '#lib/contract/health/status.ts';
import { loudIncidents } from '#lib/incidents/loud-incidents.ts';
import { createDoor } from '../../door/door.ts';
import { createLog } from '../../process/log.ts';
import { appendToJournal } from '../../testing/append-to-journal.ts';
import { type ChainedRow, payloadHash, rowHash } from '../../timeline/store/journal-chain.ts';
import { openDatabase } from '../../timeline/store/open-database.ts';
import { openSqliteJournal } from '../../timeline/store/sqlite-journal.ts';
import { redactRow } from '../export-journal.ts';
import { createIncidentLog } from './incident-log.ts';
import { checkDoor, createHookCheck } from './watch-door.ts';
import { createJournalCheck } from './watch-journal.ts';
import { createProjectCheck } from './watch-projects.ts';

let home: string;
let ports: ReturnType<typeof createNodePorts>;
let clock: number;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'incidents-'));
	clock = Date.now();
	ports = createNodePorts({ home });
});
afterEach(() => {
	ports.close();
	rmSync(home, { recursive: true });
});
const storeOf = () =>
	createIncidentLog({
		ports: { ...ports, now: () => clock },
		log: createLog(() => undefined),
	});
const codes = (incidents: ReturnType<typeof storeOf>) =>
	incidents.list().map(({ code, until }) => [code, until === null]);

describe('R801 the hooks’ socket', () => {
	const socketPath = () => join(home, 'bridge.sock');
	const listenAt = (path: string) =>
		new Promise<{ close(): void }>((resolve) => {
			const server = createServer((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
			server.listen(path, () => resolve(server));
		});
	async function openDoor() {
		const none = async () => null;
		const door = createDoor({
			socketPath: socketPath(),
			ports,
			respond: () => ({ sessionId: '_home', keys: [], output: { continue: true } }),
			tickets: {
				hold: none,
				openReview: none,
				closeReview: async () => ({ kind: 'unknown' }),
				wait: async () => ({ kind: 'unknown' }),
			},
			log: createLog(() => undefined),
		});
		await door.listen();
		const incidents = storeOf();
		const inspectDoor = (isOurs = true) =>
			checkDoor({ home, socketPath: socketPath(), door, isHomeOurs: () => isOurs, incidents });
		return { door, incidents, check: inspectDoor };
	}

	test('an impostor in its place is reported, and the place is recovered', async () => {
		const { door, incidents, check } = await openDoor();
		await check();
		expect(incidents.list()).toEqual([]);
		renameSync(socketPath(), `${socketPath()}.away`);
		const impostor = await listenAt(socketPath());
		expect(door.checkSocket()).toBe('other');
		await check();
		expect(codes(incidents)).toEqual([['door/replaced', false]]);
		expect(incidents.list()[0]?.message).toContain('another program put its own socket');
		expect(door.checkSocket()).toBe('own');
		expect(statSync(socketPath()).mode & 0o777).toBe(0o600);
		impostor.close();
		// A door that closes removes the path, whatever is there by then.
		await check();
		expect(door.checkSocket()).toBe('own');
		const lines = readFileSync(join(home, 'sessions/_home/timeline.jsonl'), 'utf8').trim().split('\n');
		expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'system:warning', code: 'door/replaced' });
		await door.close();
		expect(door.checkSocket()).toBe('gone');
	});

	test('a socket that was removed is put back; who tries again and again makes one incident', async () => {
		const { door, incidents, check } = await openDoor();
		for (let n = 0; n < 5; n += 1) {
			rmSync(socketPath());
			await check();
			expect(door.checkSocket()).toBe('own');
		}
		expect(codes(incidents)).toEqual([['door/replaced', false]]);
		await door.close();
	});

	test('anything but a socket, and a home of another server, are left alone, and the incident is open until that ends', async () => {
		const { door, incidents, check } = await openDoor();
		rmSync(socketPath());
		writeFileSync(socketPath(), 'mine');
		await check();
		expect(readFileSync(socketPath(), 'utf8')).toBe('mine');
		expect(codes(incidents)).toEqual([['door/replaced', true]]);
		rmSync(socketPath());
		await check(false);
		expect(door.checkSocket()).toBe('gone');
		await check();
		await check();
		expect(incidents.list().every(({ until }) => until !== null)).toBe(true);
		await door.close();
	});

	test('a home or socket that was opened to others is closed again', async () => {
		const { door, incidents, check } = await openDoor();
		chmodSync(home, 0o755);
		chmodSync(socketPath(), 0o666);
		await check();
		expect([statSync(home).mode & 0o777, statSync(socketPath()).mode & 0o777]).toEqual([0o700, 0o600]);
		expect(codes(incidents)).toEqual([
			['door/opened', false],
			['door/opened', false],
		]);
		await door.close();
	});
});

test('R802 a hook file that was changed or removed is an incident until it is put back', () => {
	mkdirSync(join(home, 'bin'));
	const path = join(home, 'bin/hook.sh');
	writeFileSync(path, 'one', { mode: 0o755 });
	const incidents = storeOf();
	const check = createHookCheck(home, incidents);
	check();
	expect(incidents.list()).toEqual([]);
	writeFileSync(path, 'exit 0');
	check();
	check();
	expect(codes(incidents)).toEqual([['hook/changed', true]]);
	writeFileSync(path, 'one');
	check();
	expect(codes(incidents)).toEqual([['hook/changed', false]]);
	chmodSync(path, 0o644);
	check();
	expect(codes(incidents)[0]).toEqual(['hook/changed', true]);
});

test('R802 so is the link to the node that runs the hook', () => {
	mkdirSync(join(home, 'bin'));
	const link = join(home, 'bin/node');
	const leads = (target: string) => {
		rmSync(link, { force: true });
		symlinkSync(target, link);
	};
	leads('/usr/bin/node');
	const incidents = storeOf();
	const check = createHookCheck(home, incidents);
	leads('/tmp/node');
	check();
	expect(codes(incidents)).toEqual([['hook/changed', true]]);
	leads(process.execPath);
	check();
	expect(codes(incidents)).toEqual([['hook/changed', false]]);
	rmSync(link);
	check();
	expect(codes(incidents)[0]).toEqual(['hook/changed', true]);
});

test('a config by which a hook was judged is an incident if it allowed more, even if it is restored', () => {
	const project = join(home, 'shop');
	mkdirSync(join(project, '.overtone'), { recursive: true });
	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
	writeFileSync(join(project, '.overtone/config.json'), '{"commands":{"exclude":["zap"]}}');
	const incidents = storeOf();
	const health = { roots: () => [project], check: () => ({ project, checks: 9, findings: [] }) };
	const { check, judgedBy } = createProjectCheck({ home, configDir: join(home, '.claude'), health, incidents });
	check();
	judgedBy('', '{"commands":{"exclude":["rm","dd"]}}');
	judgedBy(project, '{"commands":{"exclude":["zap"]}}');
	expect(incidents.list()).toEqual([]);
	judgedBy('', '');
	judgedBy(project, '{');
	expect(incidents.list().map(({ code, about }) => [code, about])).toEqual([
		['config/loosened', join(project, '.overtone/config.json')],
		['config/loosened', join(home, 'config.json')],
	]);
});

test('settings and configs that hold back less than before are an incident; what was amiss before is none', () => {
	const project = join(home, 'shop');
	mkdirSync(join(project, '.claude'), { recursive: true });
	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["rm","sudo"]},"approvals":{"observe":true}}');
	let findings: ProjectHealth['findings'] = [{ state: 'warn', name: 'timeouts', detail: 'old' }];
	const incidents = storeOf();
	let roots = [project];
	const health = { roots: () => roots, check: () => ({ project, checks: 9, findings }) };
	const { check: lookOnce } = createProjectCheck({ home, configDir: join(home, '.claude'), health, incidents });
	/** What is half written is not looked at yet. */
	const checkTwice = () => {
		lookOnce();
		lookOnce();
	};
	checkTwice();
	checkTwice();
	expect(incidents.list()).toEqual([]);

	findings = [...findings, { state: 'wrong', name: 'hooks enabled', detail: 'disableAllHooks is set' }];
	writeFileSync(join(project, '.claude/settings.json'), '{"disableAllHooks":true}');
	checkTwice();
	expect(incidents.list()).toMatchObject([
		{ code: 'settings/changed', message: expect.stringContaining('disableAllHooks') },
	]);
	findings = findings.slice(0, 1);
	rmSync(join(project, '.claude/settings.json'));
	checkTwice();
	expect(codes(incidents)).toEqual([['settings/changed', false]]);

	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["sudo","dd"]}}');
	checkTwice();
	expect(incidents.list()[0]).toMatchObject({ code: 'config/loosened', about: join(home, 'config.json') });
	expect(incidents.list()[0]?.message).toMatch(/no longer names rm; approvals\.observe is no longer on$/);
	mkdirSync(join(project, '.overtone'));
	writeFileSync(join(project, '.overtone/config.json'), '{"gates":{"routingEnforcer":{"enabled":true}}}');
	checkTwice();
	expect(incidents.list()).toHaveLength(2);
	rmSync(join(project, '.overtone/config.json'));
	checkTwice();
	expect(incidents.list()[0]?.message).toContain('gates.routingEnforcer is no longer on');

	// A file that changes at every look is looked at all the same.
	for (let n = 0; n < 4; n += 1) {
		writeFileSync(join(home, 'config.json'), JSON.stringify({ n: 'x'.repeat(n) }));
		lookOnce();
	}
	expect(incidents.list()[0]?.message).toContain('no longer names sudo, dd');

	const before = incidents.list().length;
	findings = [{ state: 'wrong', name: 'hooks registered', detail: 'none' }];
	rmSync(project, { recursive: true });
	checkTwice();
	roots = [];
	checkTwice();
	expect(incidents.list()).toHaveLength(before);
});

test('a project that newer sessions push out is still watched: later changes are reported, and open incidents continue', () => {
	const project = join(home, 'shop');
	mkdirSync(join(project, '.claude'), { recursive: true });
	let findings: ProjectHealth['findings'] = [];
	let roots = [project];
	const incidents = storeOf();
	const health = {
		roots: () => roots,
		check: (of: string) => ({ project: of, checks: 9, findings: of === project ? findings : [] }),
	};
	const { check: lookOnce } = createProjectCheck({ home, configDir: join(home, '.claude'), health, incidents });
	const checkTwice = () => {
		lookOnce();
		lookOnce();
	};
	checkTwice();
	roots = [join(home, 'other')];
	mkdirSync(join(home, 'other'));
	checkTwice();
	findings = [{ state: 'wrong', name: 'hooks enabled', detail: 'disableAllHooks is set' }];
	writeFileSync(join(project, '.claude/settings.json'), '{"disableAllHooks":true}');
	checkTwice();
	expect(codes(incidents)).toEqual([['settings/changed', true]]);
	roots = [home, project];
	checkTwice();
	expect(codes(incidents)).toEqual([['settings/changed', true]]);
});

test('a project that cannot be read is reported, and keeps no other from being read', () => {
	const [broken, project] = ['broken', 'shop'].map((name) => join(home, name)) as [string, string];
	for (const each of [broken, project]) mkdirSync(join(each, '.claude'), { recursive: true });
	let findings: ProjectHealth['findings'] = [];
	const incidents = storeOf();
	const inspectProject = (of: string) => {
		if (of === broken) throw new Error('ELOOP');
		return { project: of, checks: 9, findings };
	};
	const health = { roots: () => [broken, project], check: inspectProject };
	const { check: lookOnce } = createProjectCheck({ home, configDir: join(home, '.claude'), health, incidents });
	lookOnce();
	expect(incidents.list()).toMatchObject([{ message: expect.stringContaining('cannot be looked at') }]);
	findings = [{ state: 'wrong', name: 'hooks enabled', detail: 'disableAllHooks is set' }];
	writeFileSync(join(project, '.claude/settings.json'), '{"disableAllHooks":true}');
	lookOnce();
	lookOnce();
	expect(incidents.list()).toHaveLength(2);
});

describe('R804 the journal', () => {
	const path = () => join(home, 'journal.db');
	const add = (kind: 'setting:change' | 'link:mint' | 'token:mint', n: number, payload = {}) =>
		void appendToJournal(path(), { id: `row-${kind}-${n}`, kind, subject: `s${n}`, payload });
	const byHand = (...statements: string[]) => {
		const file = openDatabase(path());
		const triggers = file.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
		for (const { name } of triggers as { name: string }[]) file.exec(`DROP TRIGGER ${name}`);
		file.pragma('foreign_keys = OFF');
		for (const statement of statements) file.exec(statement);
		for (const { sql } of triggers as { sql: string }[]) file.exec(sql);
		file.close();
	};
	async function open() {
		const journal = await openSqliteJournal(path());
		for (let n = 0; n < 6; n += 1) add('setting:change', n, { to: n });
		const incidents = storeOf();
		const watch = createJournalCheck(path(), incidents, journal);
		const end = async () => {
			watch.close();
			await journal.close();
		};
		const checkpoint = () => {
			const file = openDatabase(path());
			file.pragma('wal_checkpoint(TRUNCATE)');
			file.close();
		};
		return { incidents, check: watch.check, end, journal: { append: journal.append, checkpoint } };
	}

	test('a file that was overwritten or cut is reported at the next check, and records no row from then on', async () => {
		for (const spoil of [
			() => writeFileSync(path(), Buffer.alloc(statSync(path()).size, 0x5a)),
			() => truncateSync(path(), 4096),
		]) {
			const { incidents, check, end, journal } = await open();
			journal.checkpoint();
			await check();
			expect(incidents.list()).toEqual([]);
			spoil();
			await check();
			expect(codes(incidents)).toEqual([['journal/changed', true]]);
			expect(incidents.list()[0]).toMatchObject({
				message: expect.stringMatching(/^The journal cannot be read: .*Nothing can be decided/),
				fix: expect.stringContaining('start it again'),
			});
			const draft = { id: 'late', kind: 'approval:resolve' as const, subject: 'a1', payload: {} };
			await expect(journal.append(draft)).rejects.toThrow(
				/could not be written, so nothing was changed.*start it again/,
			);
			await end().catch(() => undefined);
			for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
		}
	});

	test('new rows are no incident; a new credential is reported', async () => {
		const { incidents, check, end } = await open();
		add('setting:change', 7, { to: 7 });
		add('token:mint', 8, { role: 'viewer' });
		await check();
		expect(incidents.list()).toEqual([]);
		add('token:mint', 9, { role: 'operator' });
		add('link:mint', 10);
		await check();
		expect(incidents.list().map(({ code, message }) => [code, message.split('.')[0]])).toEqual([
			['access/minted', 'A sign-in link was made'],
			['access/minted', 'An operator’s token was made'],
		]);
		const [made] = incidents.list();
		const at = Date.parse(made?.at ?? '');
		expect(loudIncidents(incidents.list(), at + 1000, at - 1000)).toHaveLength(2);
		expect(loudIncidents(incidents.list(), at + 1000, at + 500)).toEqual([]);
		await end();
	});

	test('what lets somebody in counts from when it was made, unless that is dated back', async () => {
		const { incidents, check, end } = await open();
		const made = Date.now();
		add('link:mint', 7);
		clock = Date.now() + 900;
		await check();
		expect(Date.parse(incidents.list()[0]?.at ?? '')).toBeLessThan(clock);
		expect(Date.parse(incidents.list()[0]?.at ?? '')).toBeGreaterThanOrEqual(made);
		add('link:mint', 8);
		clock = Date.now() + 60_000;
		await check();
		expect(Date.parse(incidents.list()[0]?.at ?? '')).toBe(clock);
		await end();
	});

	test.each([
		['a row is changed', "UPDATE journal SET subject = 'other' WHERE n = 3", 'row 3'],
		['a payload is changed', `UPDATE journal_payload SET body = '{"to":{"salt":"00","value":9}}' WHERE n = 2`, 'row 2'],
		['a row is taken out', 'DELETE FROM journal WHERE n = 4', 'row 4'],
		['the last row is taken out', 'DELETE FROM journal WHERE n = 6', 'rows 6 to 6 are missing'],
		[
			'a row is put in',
			"INSERT INTO journal (n, id, ts, kind, subject) VALUES (7, 'x', '2026', 'passkey:enrol', 'mine')",
			'row 7',
		],
	])('%s by hand: an incident names it', async (_what, statement, words) => {
		const { incidents, check, end } = await open();
		byHand(statement);
		await check();
		expect(codes(incidents)).toEqual([['journal/changed', true]]);
		expect(incidents.list()[0]?.message).toContain(words);
		await end();
	});

	test('R1010 a journal that is another file is an incident until the one that was seen is back; what was wrong stays so', async () => {
		const { incidents, check, end } = await open();
		renameSync(path(), `${path()}.away`);
		await check();
		expect(incidents.list()[0]?.message).toContain('the file was removed while it was in use');
		writeFileSync(path(), 'an older copy');
		await check();
		expect(codes(incidents)[0]).toEqual(['journal/changed', true]);
		expect(incidents.list()[0]?.message).toContain('another file was put in its place');
		renameSync(`${path()}.away`, path());
		await check();
		expect(codes(incidents).every(([, stands]) => !stands)).toBe(true);
		byHand('DELETE FROM journal WHERE n = 4');
		await check();
		renameSync(path(), `${path()}.away`);
		await check();
		renameSync(`${path()}.away`, path());
		await check();
		expect(incidents.list().find(({ until }) => until === null)?.message).toContain('row 4');
		await end();
	});

	test('a redaction is none; another row in the place of one is, also where it fits the chain', async () => {
		const { incidents, check, end } = await open();
		redactRow(path(), { n: 2, fields: ['to'], reason: 'customer data' });
		await check();
		expect(incidents.list()).toEqual([]);
		byHand('DELETE FROM journal_payload WHERE n = 7', 'DELETE FROM journal WHERE n = 7');
		add('setting:change', 70, { digest: 'a field may have any name' });
		await check();
		expect(incidents.list()[0]?.message).toContain('row 7, it was replaced by another row');
		await end();
	});

	test('a commit reads the new rows, the newest and one slice of the older, however long the journal is', async () => {
		const journal = await openSqliteJournal(path());
		add('setting:change', 1);
		const file = openDatabase(path());
		const first = file.prepare('SELECT * FROM journal').get() as ChainedRow & { hash: string; signature: string };
		const putRow = file.prepare(
			`INSERT INTO journal SELECT @n, @id, ts, kind, subject, session_id, payload_hash, signer, @hash, signature
			FROM journal WHERE n = 1`,
		);
		const putBody = file.prepare('INSERT INTO journal_payload SELECT ?, body, sealed FROM journal_payload WHERE n = 1');
		file.transaction(() => {
			const body = JSON.parse(String(file.prepare('SELECT body FROM journal_payload').pluck().get()));
			const row = { ...first, sessionId: null, payloadHash: payloadHash(body) };
			for (let { hash } = first, n = 2; n <= 10_000; n += 1) {
				hash = rowHash(hash, { ...row, n, id: `row-${n}` });
				putRow.run({ n, id: `row-${n}`, hash });
				putBody.run(n);
			}
		})();
		file.close();
		const incidents = storeOf();
		const watch = createJournalCheck(path(), incidents, journal);
		expect(watch.rowsRead).toBe(0);
		for (let n = 0; n < 5; n += 1) {
			add('setting:change', 100 + n);
			const before = watch.rowsRead;
			await watch.check();
			expect(watch.rowsRead - before).toBeLessThan(900);
		}
		expect(incidents.list()).toEqual([]);

		byHand("UPDATE journal SET subject = 'other' WHERE n = 9900");
		await watch.check();
		expect(incidents.list()[0]?.message).toContain('row 9900');
		byHand("UPDATE journal SET subject = 's1' WHERE n = 9900");
		await watch.check();
		expect(codes(incidents)).toEqual([['journal/changed', false]]);

		byHand("UPDATE journal SET subject = 'other' WHERE n = 2000");
		let looks = 0;
		for (; codes(incidents).every(([, stands]) => !stands); looks += 1) await watch.check();
		expect(incidents.list()[0]?.message).toContain('row 2000');
		expect(looks).toBeLessThanOrEqual(26);
		// The row is known as wrong, whatever is written after it.
		for (let n = 0; n < 3; n += 1) {
			add('setting:change', 200 + n);
			await watch.check();
		}
		expect(codes(incidents).filter(([, stands]) => stands)).toHaveLength(1);
		byHand("UPDATE journal SET subject = 's1' WHERE n = 2000");
		await watch.check();
		expect(codes(incidents).some(([, stands]) => stands)).toBe(false);

		const past = watch.rowsRead;
		for (let n = 0; n < 30; n += 1) await watch.check();
		const rowsPerLook = watch.rowsRead - past;
		await watch.check();
		expect(rowsPerLook).toBeLessThan(11_000);
		expect(watch.rowsRead - past).toBe(rowsPerLook);
		watch.close();
		await journal.close();
	}, 60_000);
});
