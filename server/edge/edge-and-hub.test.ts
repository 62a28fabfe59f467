import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { openHubDatabase } from '../hub/database/database.ts';
import { openHubIdentity } from '../hub/database/hub-key.ts';
import { createEdgeStore } from '../hub/edges/edge-store.ts';
import { type HubServer, startHub } from '../hub/replica/hub-server.ts';
import { openStore, storyOf } from '../hub/testing/hub-rig.ts';
import { postgresPrograms, startPostgres } from '../hub/testing/postgres-cluster.ts';
import { sharedDatabases } from '../hub/testing/shared-databases.ts';
import { startStandInS3 } from '../hub/testing/stand-in-s3.ts';
import { rootFingerprint } from '../hub-protocol/signatures.ts';
import { freePort } from '../process/free-port.ts';
import { createLog } from '../process/log.ts';
import { builtChild } from '../testing/built-child.ts';
import { openFeatures } from '../testing/features-rig.ts';
import { asLine, createTimelineRig, samplePrompt } from '../testing/timeline-rig.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { joinHub } from './join-hub.ts';
import { type Membership, readMembership } from './membership.ts';
import { type Pusher, startPusher } from './pusher.ts';
import { startEdge } from './start-edge.ts';

vi.setConfig({ testTimeout: 60_000 });

const ALL: Membership['share'] = { projects: 'all', content: 'all' };
const QUICK = { leastMs: 20, mostMs: 100 };

describe.runIf(postgresPrograms !== undefined)('edges of a hub', () => {
	const newDatabase = sharedDatabases();
	let url: string;
	let home: string;
	let port: number;
	/** In this process, or in one of its own, which can be killed. */
	let hub: HubServer | ChildProcess | undefined;
	let seen: ReturnType<typeof openStore>;
	const pushers: Pusher[] = [];
	beforeEach(async () => {
		home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
		port = await freePort();
		await openHub(await newDatabase());
	});
	afterEach(async () => {
		for (const pusher of pushers.splice(0)) pusher.stop();
		await endHub();
	});

	async function openHub(databaseUrl: string) {
		url = databaseUrl;
		seen = openStore(url);
		const identity = openHubIdentity({ home, path: undefined, origin: address(), name: 'test hub' });
		const log = createLog(() => undefined);
		hub = await startHub({ databaseUrl: url, identity, host: '127.0.0.1', port, log });
	}
	async function endHub() {
		await killReplica();
		await seen.store.close();
	}
	async function startReplica() {
		await killReplica();
		const program = await builtChild('hub-child');
		const replica = fork(program, [url, home, String(port)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
		hub = replica;
		await once(replica, 'message');
	}
	async function killReplica() {
		const former = hub;
		hub = undefined;
		if (former instanceof ChildProcess) {
			const gone = once(former, 'exit');
			former.kill('SIGKILL');
			await gone;
		} else await former?.drain();
	}
	const address = () => `http://127.0.0.1:${port}`;
	async function mintCode(team = 'mine', uses = 1) {
		const database = openHubDatabase(url, () => undefined);
		const secret = await createEdgeStore(database.query).mintCode(team, uses, 10);
		await database.close();
		const { root } = openHubIdentity({ home, path: undefined, origin: address(), name: 'test hub' });
		return `${secret}#${rootFingerprint(root)}`;
	}

	/** A machine that has joined, with what its hub shows of it. */
	async function joinedEdge(share = ALL) {
		const rig = createTimelineRig();
		const journal = await openSqliteJournal(join(rig.home, 'journal.db'));
		const { membership } = await joinHub(rig.home, { url: address(), code: await mintCode(), name: 'machine', share });
		const log = createLog(() => undefined);
		let received = (): void => undefined;
		const start = () => {
			const pusher = startPusher({ home: rig.home, membership, log, backoff: QUICK, changed: () => received() });
			pushers.push(pusher);
			return pusher;
		};
		const pusher = start();
		const until = (isSo: () => boolean) =>
			new Promise<void>((resolve) => {
				received = () => isSo() && resolve();
				received();
			});
		const team = 1;
		const all = (sessionId: string) =>
			seen.store.reads({ teams: [team] }).events(`${membership.edge}/${sessionId}`, { after: 0, limit: 100_000 });
		return {
			...rig,
			rigStart: rig.start,
			...membership,
			journal,
			pusher,
			start,
			until,
			all,
			whenSettled: () => until(() => isDone(pusher)),
		};
	}
	const isDone = (pusher: Pusher) => pusher.state().state === 'connected' && pusher.state().behind === 0;

	test('two edges push, live and what they had before; a hub that is killed in between loses and doubles nothing', async () => {
		await startReplica();
		const [one, other] = [await joinedEdge(), await joinedEdge()];
		one.append('old', storyOf('old', 600));
		for (const edge of [one, other]) {
			for (let n = 0; n < 20; n += 1) {
				edge.append('s1', asLine(samplePrompt('s1', n)));
				edge.pusher.pushNewLines('s1');
				if (n === 7) await killReplica();
				if (n === 12) await startReplica();
				// Torn: the rest of it comes later.
				if (n === 15) edge.append('s1', '{"id":"e');
			}
		}
		one.pusher.pushNewLines('old');
		for (const edge of [one, other]) {
			await edge.until(() => edge.pusher.state().state === 'connected');
			edge.pusher.pushNewLines('s1');
			edge.pusher.pushNewLines('old');
			await edge.whenSettled();
			const ids = (await edge.all('s1')).filter(({ type }) => type !== 'system:gap').map(({ id }) => id);
			expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => `e${n}`));
		}
		expect((await one.all('old')).map(({ id }) => id)).toEqual(Array.from({ length: 1200 }, (_, n) => `old-${n}`));
		expect(await other.all('old')).toEqual([]);
	});

	test('what the tail of a running server reads is at the hub without being asked for', async () => {
		const edge = await joinedEdge();
		edge.pusher.stop();
		const { tail, stop } = await edge.rigStart();
		const endEdge = startEdge(
			edge.home,
			tail,
			createLog(() => undefined),
		);
		for (let n = 0; n < 3; n += 1) {
			edge.append(`s${n}`, asLine(samplePrompt(`s${n}`, n)));
			tail.noteAppended(`s${n}`);
		}
		await tail.whenRead();
		await vi.waitFor(async () => {
			for (let n = 0; n < 3; n += 1) expect((await edge.all(`s${n}`)).map(({ id }) => id)).toEqual([`e${n}`]);
		}, 20_000);
		endEdge?.();
		await stop();
	});

	test('a long journal and very many sessions go out by pages, each once the hub has the one before', async () => {
		const edge = await joinedEdge();
		edge.pusher.stop();
		const note = 'x'.repeat(6000);
		const rows = Array.from({ length: 700 }, (_, n) => n);
		const share = (n: number) => ({ id: `row-${n}`, kind: 'setting:change' as const, subject: 'x', sessionId: 'n1' });
		for (const n of rows) edge.append(`n${n}`, asLine(samplePrompt(`n${n}`, 1)));
		await Promise.all(rows.map((n) => edge.journal.append({ ...share(n), payload: { note: `${n} ${note}` } })));
		const pusher = edge.start();
		await edge.until(() => isDone(pusher));
		const count = async (table: string, of = 'true') =>
			(await seen.database.query<{ count: number }>(`SELECT count(*) FROM ${table} WHERE ${of}`))[0]?.count;
		expect([await count('edge_journal'), await count('sessions', 'seq = 1')]).toEqual([700, 700]);
	});

	test('a code is good once, for its own hub alone, and what is no code is refused before anything is sent', async () => {
		const share = ALL;
		const code = await mintCode();
		const fresh = () => mkdtempSync(join(tmpdir(), 'signalbox-edge-'));
		const spoilt = code.replace(/#.*/, `#${'0'.repeat(32)}`);
		await expect(joinHub(fresh(), { url: address(), code: spoilt, name: 'm', share })).rejects.toThrow('not the hub');
		await expect(joinHub(fresh(), { url: address(), code, name: 'm', share })).rejects.toThrow('used up');
		await expect(joinHub(fresh(), { url: address(), code: 'X#Y', name: 'm', share })).rejects.toThrow('copy the whole');
		await expect(joinHub(fresh(), { url: 'http://hub.example', code, name: 'm', share })).rejects.toThrow('https');
		const twice = await mintCode();
		const results = await Promise.allSettled(
			[1, 2, 3].map(() => joinHub(fresh(), { url: address(), code: twice, name: 'm', share })),
		);
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	});

	test('only what is shared leaves the machine: sessions of the named project, as their shape alone if configured', async () => {
		const SECRET = 'sekrit';
		const edge = await joinedEdge({ projects: ['/srv/shop'], content: 'shape' });
		edge.append('in', asLine(samplePrompt('in', 1, { cwd: '/srv/shop/api', project: 'api', prompt: SECRET })));
		edge.append('beside', asLine(samplePrompt('beside', 1, { cwd: '/srv/shopping', project: 'shop', prompt: SECRET })));
		edge.append('nowhere', asLine(samplePrompt('nowhere', 1, { prompt: SECRET })));
		await edge.journal.append({ id: 'row-of-another', kind: 'token:mint', subject: 'x', payload: { note: SECRET } });
		for (const id of ['in', 'beside', 'nowhere']) edge.pusher.pushNewLines(id);
		await edge.until(() => edge.pusher.state().state === 'connected');
		for (const id of ['in', 'beside', 'nowhere']) edge.pusher.pushNewLines(id);
		await edge.whenSettled();
		expect(await edge.all('in')).toMatchObject([{ id: 'e1', type: 'prompt:submit', prompt: '' }]);
		expect([await edge.all('beside'), await edge.all('nowhere')]).toEqual([[], []]);
		const { query } = seen.database;
		for (const table of ['events', 'rows', 'views', 'summaries']) {
			expect(await query(`SELECT 1 FROM ${table} WHERE json LIKE '%${SECRET}%'`), table).toEqual([]);
		}
		expect(await query(`SELECT 1 FROM edge_journal WHERE payload LIKE '%${SECRET}%'`)).toEqual([]);
	});

	test('an approval is proven at the hub by its journal row, not by its line alone', async () => {
		const edge = await joinedEdge();
		await edge.until(() => edge.pusher.state().state === 'connected');
		const payload = { approvalId: 'approval-1', decision: 'approve', by: { role: 'operator', via: 'session' } };
		const row = await edge.journal.append({
			id: 'row-1',
			kind: 'approval:resolve',
			subject: 'approval-1',
			sessionId: 's1',
			payload,
		});
		const line = {
			id: 'row-1',
			ts: row?.ts,
			type: 'approval:resolve',
			category: 'approval',
			label: 'Resolved',
			sessionId: 's1',
		};
		edge.append('s1', asLine({ ...line, ...payload }) + asLine({ ...line, ...payload, id: 'forged-1' }));
		edge.pusher.pushNewLines('s1');
		await edge.whenSettled();
		expect((await edge.all('s1')).map(({ id, unverified }) => [id, unverified])).toEqual([
			['row-1', undefined],
			['forged-1', true],
		]);
	});

	test('R1747 a copy of an edge is quarantined, and so is one whose journal is older than what it acknowledged', async () => {
		const edge = await joinedEdge();
		await edge.until(() => edge.pusher.state().state === 'connected');
		const copy = mkdtempSync(join(tmpdir(), 'signalbox-copy-'));
		cpSync(edge.home, copy, { recursive: true });
		edge.pusher.stop();
		const again = edge.start();
		await edge.until(() => again.state().state === 'connected');
		again.stop();
		const third = edge.start();
		await edge.until(() => third.state().state === 'connected');
		third.stop();

		const membership = readMembership(copy);
		if (!membership) throw new Error('no membership');
		let received = (): void => undefined;
		const twin = startPusher({
			home: copy,
			membership,
			log: createLog(() => undefined),
			backoff: QUICK,
			changed: () => received(),
		});
		pushers.push(twin);
		await new Promise<void>((resolve) => {
			received = () => twin.state().state === 'refused' && resolve();
			received();
		});
		expect(twin.state().reason).toMatch(/is its connection \d+, and it has made \d+ before/);
		const [line] = await createEdgeStore(seen.database.query).list();
		expect(line).toMatchObject({ status: 'quarantined' });
	});

	test('R1747 an edge whose journal is older than what the hub has of it is quarantined', async () => {
		const edge = await joinedEdge();
		const note = (id: string) => edge.journal.append({ id, kind: 'setting:change', subject: 'x', payload: {} });
		await note('row-1');
		edge.pusher.stop();
		await edge.journal.close();
		const before = mkdtempSync(join(tmpdir(), 'signalbox-backup-'));
		cpSync(edge.home, before, { recursive: true });
		const again = await openSqliteJournal(join(edge.home, 'journal.db'));
		await again.append({ id: 'row-2', kind: 'setting:change', subject: 'x', payload: {} });
		await again.close();
		const restarted = edge.start();
		await edge.until(() => isDone(restarted));
		restarted.stop();

		for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm'])
			rmSync(join(edge.home, name), { force: true });
		for (const name of readdirSync(before).filter((file) => file.startsWith('journal.db'))) {
			cpSync(join(before, name), join(edge.home, name));
		}
		const restored = edge.start();
		await edge.until(() => restored.state().state === 'refused');
		expect(restored.state().reason).toContain('journal');
		restored.stop();
	});

	test('a timeline that another file replaced starts again at the hub, and what was read before is kept', async () => {
		const edge = await joinedEdge();
		edge.append('s1', [1, 2, 3].map((n) => asLine(samplePrompt('s1', n))).join(''));
		await edge.until(() => edge.pusher.state().state === 'connected');
		edge.pusher.pushNewLines('s1');
		await edge.whenSettled();
		expect((await edge.all('s1')).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
		writeFileSync(edge.file('s1'), [7, 8, 9, 10].map((n) => asLine(samplePrompt('s1', n))).join(''));
		edge.pusher.pushNewLines('s1');
		await edge.whenSettled();
		expect((await edge.all('s1')).map(({ id, seq }) => [id, seq])).toEqual(
			[7, 8, 9, 10].map((n, index) => [`e${n}`, index + 1]),
		);
		const kept = await seen.database.query("SELECT rewritten FROM sessions WHERE session_id = 's1' ORDER BY gen");
		expect(kept).toEqual([{ rewritten: true }, { rewritten: false }]);
	});

	test('what the hub has confirmed survives a crash of the database right after it', async () => {
		await endHub();
		const cluster = await startPostgres();
		onTestFinished(cluster.remove);
		await openHub(await cluster.database());
		await startReplica();
		// What is committed without waiting for the disk is lost for longer than this test takes.
		await seen.database.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
		await seen.database.query('SELECT pg_reload_conf()');
		const edge = await joinedEdge();
		await edge.until(() => edge.pusher.state().state === 'connected');
		for (let n = 0; n < 5; n += 1) edge.append('s1', asLine(samplePrompt('s1', n)));
		edge.pusher.pushNewLines('s1');
		await edge.whenSettled();
		expect(edge.pusher.confirm()).toBe(true);
		expect(isDone(edge.pusher)).toBe(false);
		await edge.whenSettled();
		// At once: nothing else is written down any more.
		await killReplica();
		await cluster.crash();
		await cluster.start();
		expect((await edge.all('s1')).map(({ id }) => id)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4']);
	});

	test('a hub that is killed again and again has each archived feature once and whole in the end', async () => {
		const s3 = await startStandInS3();
		vi.stubEnv('SIGNALBOX_OBJECTS_URL', s3.url);
		vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key');
		vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
		const rig = await openFeatures();
		try {
			const ids = ['cart', 'desk'].map((feature) => {
				newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId: 's1' });
				rig.writeFile(`p/specs/features/in-progress/${feature}/plan.md`, `plan of ${feature}`);
				const made = archiveFeature(rig.project, feature, { ...rig, append: rig.ports.append });
				return made.ok ? made.id : '';
			});
			await rig.whenSettled();
			await startReplica();
			const { membership } = await joinHub(rig.home, { url: address(), code: await mintCode(), name: 'm', share: ALL });
			const log = createLog(() => undefined);
			const pusher = startPusher({ home: rig.home, membership, log, backoff: QUICK });
			pushers.push(pusher);
			const count = async (table: string) => (await seen.database.query(`SELECT 1 AS one FROM ${table}`)).length;
			const progress = async () => (await count('feature_files')) + (await count('features'));
			for (let before = 0; (await count('features')) < ids.length; before = await progress()) {
				await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(before), 30_000);
				await startReplica();
			}
			await vi.waitFor(() => expect(isDone(pusher)).toBe(true), 30_000);
			const kept = await seen.database.query('SELECT id, stored FROM features ORDER BY id');
			expect(kept).toEqual(ids.sort().map((id) => ({ id, stored: true })));
			expect([...s3.objects.keys()].filter((name) => name.includes('/features/'))).toHaveLength(4);
		} finally {
			vi.unstubAllEnvs();
			await rig.close();
			rig.remove();
			await s3.stop();
		}
	});
});
