import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readObjectsUrl } from '../../process/objects-url.ts';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import { openHubDatabase } from '../database/database.ts';
import { readJobsState } from '../jobs/jobs-state.ts';
import { dropPartitions, packColdSessions } from '../jobs/retire-sessions.ts';
import { addEdge, nextRange, noJournal, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { startStandInS3 } from '../testing/stand-in-s3.ts';
import { createArchives } from './archives.ts';
import { type ObjectStore, openObjectStore } from './object-store.ts';
import { createPostgresStore } from './postgres-store.ts';
import { RangeFold } from './range-fold.ts';

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

describe.runIf(postgresPrograms !== undefined)('archives of a hub', () => {
	const newDatabase = sharedDatabases();
	let url: string;
	let database: ReturnType<typeof openHubDatabase>;
	let s3: Awaited<ReturnType<typeof startStandInS3>>;
	let objects: ObjectStore;
	let now: number;
	let mine: { edge: number; team: number };
	beforeAll(async () => {
		vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key');
		vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
		s3 = await startStandInS3();
		const objectStore = readObjectsUrl(s3.url);
		if (!objectStore) throw new Error('no place');
		objects = openObjectStore(objectStore);
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

	const archives = () => createArchives(objects);
	const storeOf = (events = 1_000_000) =>
		createPostgresStore(database, {
			now: () => now,
			failed: () => undefined,
			bounds: { days: 14, events },
			objects,
		});
	const pack = (store: ObjectStore | null = objects) =>
		packColdSessions({ database, archives: archives(), now: () => now, ...(store && { store }) }, never);
	const drop = (patienceMs?: number) =>
		dropPartitions(url, { now: () => now, signal: never, ...(patienceMs && { patienceMs }) });

	async function write(sessionId: string, bytes: Buffer, store = storeOf(), step = 3000) {
		const fold = new RangeFold({ store, journalRows: noJournal, now: () => now, viewEvents: 50 });
		const [session] = await store.open([{ edge: mine.edge, sessionId }]);
		let at = session?.offset ?? 0;
		while (at < bytes.length) {
			const [result] = await fold.foldRanges([nextRange(session?.key ?? 0, bytes, at, step)]);
			// Its archive is read beside.
			if (result?.kind === 'later') continue;
			expect(result?.kind).toBe('committed');
			at = result?.session?.offset ?? bytes.length;
		}
	}

	/** All that pages ask of a session. */
	async function readAll(sessionId: string, store = storeOf()) {
		const reads = store.reads({ teams: [mine.team] });
		const name = `${mine.edge}/${sessionId}`;
		const shot = await reads.snapshot(name, 7);
		const { archivedAt, ...view } = shot?.view ?? {};
		const rows = await reads.rows(name, { limit: 100_000 });
		const events = await reads.events(name, { after: 0, limit: 100_000 });
		const some = rows.filter((_, n) => n % 17 === 0);
		return {
			archived: archivedAt !== undefined,
			seen: {
				...{ view, rows, events, shot: shot?.rows },
				epoch: (await reads.headOf(name))?.epoch,
				middle: await reads.rows(name, { before: rows[40]?.seq ?? 0, limit: 9 }),
				onwards: await reads.rows(name, { after: rows[40]?.seq ?? 0, limit: 9 }),
				since: await reads.eventsSince(name, { epoch: shot?.epoch ?? '', after: 11, limit: 30 }),
				byRow: await Promise.all(
					some.map(async ({ key }) => [
						await reads.row(name, key),
						await reads.events(name, { after: 1, limit: 9, row: key }),
					]),
				),
				none: [await reads.row(name, 'none'), await reads.events(name, { after: 0, limit: 9, row: 'none' })],
				times: await reads.timesOf(name, [0, 1, 5, 99_999]),
				known: [...(await reads.knownIds(name, ['none', events[3]?.id ?? '']))],
				list: (await store.summaries({ teams: [mine.team] }, { now, limit: 9 })).sessions.map(
					({ sessionId: id }) => id,
				),
			},
		};
	}
	const partitions = async () =>
		(
			await database.query<{ name: string }>(
				`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^(events|rows|ledger|views)_' ORDER BY 1`,
			)
		).map(({ name }) => name);
	const days = (count: number) => {
		now += count * DAY_MS;
	};

	test.each([
		['as one', 1_000_000],
		['in several partitions', 90],
	])(
		'R2079 a session that was cold is packed, its partition is dropped, and it reads as before: %s',
		async (_how, events) => {
			await write('s1', storyOf('s1', 200), storeOf(events));
			const before = await readAll('s1');
			expect(before.seen.events).toHaveLength(400);
			days(13);
			await pack();
			expect(s3.objects.size).toBe(0);
			days(2);
			await pack();
			await drop();
			expect(
				(await partitions()).filter((name) => Number(name.split('_')[1]) <= Math.floor(now / DAY_MS) - 15),
			).toEqual([]);
			const after = await readAll('s1');
			expect(after).toEqual({ archived: true, seen: before.seen });
			const first = `bucket/archives/${mine.team}/${mine.edge}/s1-0`;
			expect(
				[...s3.objects.keys()].filter((name) => name.startsWith(`${first}.j`) || name.startsWith(`${first}.r`)).sort(),
			).toEqual([`${first}.json`, `${first}.jsonl.gz`, `${first}.rows.jsonl.gz`]);
		},
	);

	test('a session that continues after it was packed continues where it was, and reads as one', async () => {
		const whole = storyOf('s1', 60);
		await write('s1', whole.subarray(0, whole.lastIndexOf(10, whole.length >> 1) + 1));
		days(15);
		await pack();
		await drop();
		expect((await readAll('s1')).archived).toBe(true);
		s3.setAway(true);
		const [session] = await storeOf().open([{ edge: mine.edge, sessionId: 's1' }]);
		const fold = new RangeFold({ store: storeOf(), journalRows: noJournal, now: () => now });
		const next = nextRange(session?.key ?? 0, whole, session?.offset ?? 0, 100);
		expect(await fold.foldRanges([next])).toEqual([{ kind: 'later', session: undefined }]);
		s3.setAway(false);
		await write('s1', whole);
		const after = await readAll('s1');
		expect(after.archived).toBe(false);
		const numbered = after.seen.events.map(({ id, seq }) => [id, seq]);
		expect(numbered).toEqual(Array.from({ length: 120 }, (_, n) => [`s1-${n}`, n + 1]));
		expect(after.seen.rows).toHaveLength(60);
		expect(after.seen.view).toMatchObject({ counters: { events: 120, calls: 60 } });
		// And grows cold again.
		days(15);
		await pack();
		await drop();
		expect(await readAll('s1')).toEqual({ archived: true, seen: after.seen });
	});

	test('what is not what was put there is not shown, and a store that is away loses nothing', async () => {
		await write('s1', storyOf('s1', 30));
		days(15);
		s3.setAway(true);
		await expect(pack()).rejects.toThrow('archive');
		await drop();
		expect((await readAll('s1')).seen.events).toHaveLength(60);
		s3.setAway(false);
		// A connection that ends in the middle is no reason to wait for the next time.
		s3.breakNext(2);
		await pack();
		await drop();
		for (const [name, bytes] of s3.objects) {
			const spoilt = Buffer.from(bytes);
			spoilt.writeUInt8((spoilt.readUInt8(40) + 1) % 256, 40);
			s3.objects.set(name, spoilt);
			const reads = storeOf().reads({ teams: [mine.team] });
			await expect(
				Promise.all([
					reads.view(`${mine.edge}/s1`),
					reads.rows(`${mine.edge}/s1`, { limit: 9 }),
					reads.events(`${mine.edge}/s1`, { after: 0, limit: 9 }),
				]),
				name,
			).rejects.toThrow('cannot be read now');
			s3.objects.set(name, bytes);
		}
		expect((await readAll('s1')).seen.events).toHaveLength(60);
	});

	test('without an object store nothing is removed, except from a team that keeps nothing', async () => {
		await write('s1', storyOf('s1', 3));
		days(15);
		await pack(null);
		await drop();
		expect((await readAll('s1')).seen.events).toHaveLength(6);
		expect(await readJobsState(database.query, now)).toMatchObject({ debt: 1 });
		await database.query('UPDATE teams SET keep_nothing = true, keep_days = 3');
		await pack(null);
		await drop();
		const after = await readAll('s1');
		expect([after.seen.events, after.seen.list]).toEqual([[], []]);
		expect(
			await storeOf()
				.reads({ teams: [mine.team] })
				.view(`${mine.edge}/s1`),
		).toBeUndefined();
		// What its edge has sent is not asked for again.
		expect(await storeOf().open([{ edge: mine.edge, sessionId: 's1' }])).toMatchObject([{ seq: 6 }]);
		await write('s1', Buffer.concat([storyOf('s1', 3), Buffer.from(asLine(samplePrompt('s1', 9)))]));
		expect((await readAll('s1')).seen.events.map(({ seq }) => seq)).toEqual([7]);
	});
});
