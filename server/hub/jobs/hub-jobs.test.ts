import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../process/log.ts';
import { readObjectsUrl } from '../../process/objects-url.ts';
import { builtChild } from '../../testing/built-child.ts';
import { openHubDatabase } from '../database/database.ts';
import { addEdge, nextRange, noJournal, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { startStandInS3 } from '../testing/stand-in-s3.ts';
import { createArchives } from '../timelines/archives.ts';
import { openObjectStore } from '../timelines/object-store.ts';
import { type PackStep, packSession } from '../timelines/pack-session.ts';
import { createPostgresStore } from '../timelines/postgres-store.ts';
import { RangeFold } from '../timelines/range-fold.ts';
import { dayOf } from '../timelines/session-row.ts';
import { doAlone, startHubJobs } from './hub-jobs.ts';
import { checkArchives, readJobsState } from './jobs-state.ts';
import { dropPartitions, packColdSessions } from './retire-sessions.ts';

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

describe.runIf(postgresPrograms !== undefined)('jobs of a hub', () => {
	const newDatabase = sharedDatabases();
	let packer: string;
	let url: string;
	let database: ReturnType<typeof openHubDatabase>;
	let s3: Awaited<ReturnType<typeof startStandInS3>>;
	let now: number;
	let mine: { edge: number; team: number };
	beforeAll(async () => {
		vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key');
		vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
		packer = await builtChild('hub-packer-child');
		s3 = await startStandInS3();
	});
	afterAll(async () => {
		vi.unstubAllEnvs();
		await s3.stop();
	});
	beforeEach(async () => {
		now = Date.now();
		s3.setAway(false);
		s3.objects.clear();
		url = await newDatabase();
		database = openHubDatabase(url, () => undefined);
		mine = await addEdge(database);
		return () => database.close();
	});

	const objects = () => {
		const objectStore = readObjectsUrl(s3.url);
		if (!objectStore) throw new Error('no place');
		return openObjectStore(objectStore);
	};
	const hubStore = () => createPostgresStore(database, { now: () => now, failed: () => undefined, objects: objects() });
	const parts = () => {
		const store = objects();
		return { database, store, archives: createArchives(store), now: () => now };
	};
	const drop = (patienceMs = 60_000) => dropPartitions(url, { now: () => now, signal: never, patienceMs });
	async function write(sessionId: string, calls: number) {
		const store = hubStore();
		const fold = new RangeFold({ store, journalRows: noJournal, now: () => now });
		const [session] = await store.open([{ edge: mine.edge, sessionId }]);
		const bytes = storyOf(sessionId, calls);
		const { key = 0, offset = 0 } = session ?? {};
		expect(await fold.foldRanges([nextRange(key, bytes, offset, bytes.length)])).toMatchObject([{ kind: 'committed' }]);
	}
	const idsOf = async (sessionId: string) =>
		(await hubStore().reads({ teams: 'all' }).events(`${mine.edge}/${sessionId}`, { after: 0, limit: 9999 })).map(
			({ id }) => id,
		);
	const wholly = (sessionId: string, calls: number) => Array.from({ length: 2 * calls }, (_, n) => `${sessionId}-${n}`);
	const tablesOf = async (day: number) =>
		(
			await database.query<{ name: string }>(
				"SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ ('_' || $1::int || '$') ORDER BY 1",
				[day],
			)
		).map(({ name }) => name);
	const ofDay = (day: number) => ['events', 'ledger', 'rows', 'views'].map((name) => `${name}_${day}`);

	test('one replica does a job at a time, no sooner than it is due; one that is gone is replaced, and one that lost it learns so', async () => {
		const { query } = database;
		let running = 0;
		let most = 0;
		const job = async () => {
			running += 1;
			most = Math.max(most, running);
			await query('SELECT pg_sleep(0.05)');
			running -= 1;
		};
		const as = (holder: string, everyMs = 60_000) => ({ name: 'pack', holder, everyMs });
		const results = await Promise.all(['a', 'b', 'c'].map((holder) => doAlone(query, as(holder), job)));
		expect([results.filter(({ done }) => done).length, most]).toEqual([1, 1]);
		expect(await doAlone(query, as('b'), job)).toEqual({ done: false });
		const failed = await doAlone(query, as('b', 0), () => Promise.reject(new Error('no room')));
		expect(failed).toMatchObject({ done: true, error: new Error('no room') });
		const { jobs } = await readJobsState(query, now);
		expect(jobs.map(({ name, error }) => [name, error])).toEqual([
			['partitions', null],
			['pack', 'no room'],
			['drop', null],
		]);
		// Killed in the middle: nobody renews it.
		await query("UPDATE jobs SET until = now() + interval '1 hour', holder = 'gone'");
		expect(await doAlone(query, as('c', 0), job)).toEqual({ done: false });
		await query('UPDATE jobs SET until = now()');
		expect(await doAlone(query, as('c', 0), job)).toEqual({ done: true });
		const outcome = await doAlone(query, { ...as('a', 0), leaseMs: 3000 }, async (signal) => {
			await query("UPDATE jobs SET holder = 'other', until = now() + interval '1 hour'");
			await once(signal, 'abort');
		});
		expect(outcome).toEqual({ done: true });
		expect(await query('SELECT holder FROM jobs')).toEqual([{ holder: 'other' }]);
	});

	test('a replica makes days ahead, packs and drops by itself; the doctor says what is missing', async () => {
		await write('s1', 5);
		now += 15 * DAY_MS;
		const log = createLog(() => undefined);
		const begin = () => startHubJobs({ databaseUrl: url, database, store: objects(), now: () => now, log });
		s3.setAway(true);
		await begin().settled();
		expect((await checkArchives(url, objects(), now)).problems).toEqual([
			expect.stringContaining('The job "pack" failed: The object store did not take'),
			expect.stringContaining('The object store did not take signalbox-doctor'),
		]);
		s3.setAway(false);
		await database.query('UPDATE jobs SET ran_at = NULL');
		const jobs = begin();
		await jobs.settled();
		await jobs.stop();
		expect(await readJobsState(database.query, now)).toMatchObject({ daysAhead: 7, debt: 0 });
		expect(await tablesOf(dayOf(now) - 15)).toEqual([]);
		expect(await idsOf('s1')).toEqual(wholly('s1', 5));
		expect(await checkArchives(url, objects(), now)).toEqual({ problems: [], notes: [] });
		expect((await checkArchives(url, undefined, now)).problems).toEqual([
			expect.stringContaining('SIGNALBOX_OBJECTS_URL'),
		]);
		// A hole is no day ahead, however many follow.
		await drop();
		await database.query(`DROP TABLE views_${dayOf(now) + 2}`);
		expect((await checkArchives(url, objects(), now)).problems).toEqual([expect.stringContaining('for 1 days')]);
	});

	// All of them are in `npm run soak hub`.
	test.each<PackStep>(['events put', 'manifest put', 'marked'])(
		'a packer that is killed once it is at "%s" has lost nothing, whether the next one or a drop comes first',
		async (step) => {
			await write('s1', 30);
			now += 15 * DAY_MS;
			const child = fork(packer, [url, s3.url, String(now), step]);
			expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
			expect(await idsOf('s1')).toEqual(wholly('s1', 30));
			await drop();
			expect(await idsOf('s1')).toEqual(wholly('s1', 30));
			await packColdSessions(parts(), never);
			await drop();
			expect(await tablesOf(dayOf(now) - 15)).toEqual([]);
			expect(await idsOf('s1')).toEqual(wholly('s1', 30));
		},
	);

	test('what is written while it is packed stays in the database', async () => {
		await write('s1', 5);
		// Young enough to be written where it is.
		now += 4 * DAY_MS;
		await database.query('UPDATE teams SET keep_days = 3');
		const [session] = await hubStore().open([{ edge: mine.edge, sessionId: 's1' }]);
		const folder = mkdtempSync(join(tmpdir(), 'signalbox-pack-'));
		const reached = async (step: PackStep) => {
			if (step === 'read back') await write('s1', 8);
		};
		expect(await packSession({ ...parts(), folder, reached }, session?.key ?? 0)).toBe(false);
		await drop();
		expect(await idsOf('s1')).toEqual(wholly('s1', 8));
	});

	test('a drop waits for who reads the day, keeps nobody else waiting, and what was interrupted is finished', async () => {
		await write('s1', 5);
		const day = dayOf(now);
		now += 15 * DAY_MS;
		await packColdSessions(parts(), never);
		const reader = new pg.Client({ connectionString: url });
		await reader.connect();
		await reader.query('BEGIN');
		await reader.query('SELECT count(*) FROM events');
		const waiting = drop(1500).then(
			() => 'done',
			(error: unknown) => String(error),
		);
		await vi.waitFor(async () => {
			const pending = await database.query('SELECT 1 FROM pg_inherits WHERE inhdetachpending');
			expect(pending).toHaveLength(1);
		});
		// While it waits others write, read and make days.
		await write('s2', 5);
		expect(await idsOf('s2')).toEqual(wholly('s2', 5));
		expect(await idsOf('s1')).toEqual(wholly('s1', 5));
		expect(await waiting).toContain('timeout');
		await reader.query('ROLLBACK');
		await reader.end();
		expect(await tablesOf(day)).toEqual(ofDay(day));
		await drop();
		expect(await tablesOf(day)).toEqual([]);
		expect([await idsOf('s1'), await idsOf('s2')]).toEqual([wholly('s1', 5), wholly('s2', 5)]);
	});

	test('a table that was detached and left is dropped, but none of a day of which anything is not archived', async () => {
		const day = dayOf(now);
		await write('s1', 5);
		now += 15 * DAY_MS;
		await database.query(`ALTER TABLE rows DETACH PARTITION rows_${day}`);
		await drop();
		expect(await tablesOf(day)).toEqual(ofDay(day));
		await database.query(`ALTER TABLE rows ATTACH PARTITION rows_${day} FOR VALUES FROM (${day}) TO (${day + 1})`);
		await packColdSessions(parts(), never);
		await database.query(`ALTER TABLE events DETACH PARTITION events_${day}`);
		await database.query(`DROP TABLE ledger_${day}`);
		await drop();
		expect(await tablesOf(day)).toEqual([]);
		expect(await idsOf('s1')).toEqual(wholly('s1', 5));
	});
});
