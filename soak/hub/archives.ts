import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openHubDatabase } from '#server/hub/database/database.ts';
import { dropPartitions, packColdSessions } from '#server/hub/jobs/retire-sessions.ts';
import { addEdge, nextRange, noJournal, storyOf } from '#server/hub/testing/hub-rig.ts';
import { startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { startStandInS3 } from '#server/hub/testing/stand-in-s3.ts';
import { createArchives } from '#server/hub/timelines/archives.ts';
import { openObjectStore } from '#server/hub/timelines/object-store.ts';
import { createPostgresStore } from '#server/hub/timelines/postgres-store.ts';
import { RangeFold } from '#server/hub/timelines/range-fold.ts';
import { readObjectsUrl } from '#server/process/objects-url.ts';
import { builtChild } from '#server/testing/built-child.ts';

const DAY_MS = 86_400_000;
const CALLS = 40;
const STEPS = ['written', 'events put', 'rows put', 'manifest put', 'read back', 'marked', 'none'] as const;
const never = new AbortController().signal;

/**
 * Sessions that begin, rest for days and go on, while packers are killed at every step (`kill -9`), drops are cut off by a
 * reader, and the object store is away for a while. In the end each has its events once, in their order.
 */
export async function packUnderKills({ runs, seed }: { runs: number; seed: number }): Promise<Record<string, number>> {
	process.env.AWS_ACCESS_KEY_ID = 'test-key';
	process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
	const program = await builtChild('hub-packer-child');
	const cluster = await startPostgres();
	const s3 = await startStandInS3();
	const url = await cluster.database();
	const database = openHubDatabase(url, () => undefined);
	const { edge } = await addEdge(database);
	await database.query('UPDATE teams SET keep_days = 3');
	const objectStore = readObjectsUrl(s3.url);
	if (!objectStore) throw new Error('The stand-in has no address.');
	const objects = openObjectStore(objectStore);
	let now = Date.now();
	let state = seed;
	const below = (end: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * end);
	};
	const options = { now: () => now, failed: () => undefined, objects };
	const store = createPostgresStore(database, { ...options, bounds: { days: 14, events: 50 } });
	const drop = (patienceMs = 60_000) => dropPartitions(url, { now: () => now, signal: never, patienceMs });
	const written = new Map<string, number>();
	const counts = { runs, killed: 0, 'drops cut off': 0, 'store away': 0, archived: 0, lost: 0, doubled: 0 };

	async function write(sessionId: string, bytes: number) {
		const fold = new RangeFold({ store, journalRows: noJournal, now: () => now });
		const story = storyOf(sessionId, CALLS);
		const [session] = await store.open([{ edge, sessionId }]);
		const end = Math.min(story.length, (written.get(sessionId) ?? 0) + bytes);
		for (let at = session?.offset ?? 0; at < end; ) {
			const [result] = await fold.foldRanges([nextRange(session?.key ?? 0, story, at, 1500)]);
			at = result?.session?.offset ?? at;
			written.set(sessionId, at);
		}
	}

	for (let run = 0; run < runs; run += 1) {
		now += 4 * DAY_MS;
		const older = [...written.keys()].filter(() => below(4) === 0);
		const fresh = [`r${run}-a`, `r${run}-b`];
		for (const name of [...fresh, ...older]) await write(name, 1 + below(4000));
		now += 4 * DAY_MS;
		const step = STEPS[below(STEPS.length)] ?? 'none';
		const packer = fork(program, [url, s3.url, String(now), step], { stdio: 'ignore' });
		const gone = once(packer, 'exit');
		// Some go on just while they are packed.
		for (const name of older.slice(0, 2)) await write(name, 1 + below(2000));
		const [, signal] = await gone;
		counts.killed += Number(signal === 'SIGKILL');
		if (below(4) === 0) {
			s3.setAway(true);
			await packColdSessions(
				{ database, store: objects, archives: createArchives(objects), now: () => now },
				never,
			).catch(() => undefined);
			s3.setAway(false);
			counts['store away'] += 1;
		}
		if (below(3) > 0) await drop();
		else {
			counts['drops cut off'] += 1;
			await database.atOnce(async (ask) => {
				await ask('SELECT count(*) FROM events');
				await drop(300).catch(() => undefined);
			});
		}
	}

	now += 20 * DAY_MS;
	await packColdSessions({ database, store: objects, archives: createArchives(objects), now: () => now }, never);
	await drop();
	const [archived] = await database.query<{ count: number }>('SELECT count(*) FROM sessions WHERE archive IS NOT NULL');
	counts.archived = archived?.count ?? 0;
	const reads = store.reads({ teams: 'all' });
	for (const [sessionId, bytes] of written) {
		const events = await reads.events(`${edge}/${sessionId}`, { after: 0, limit: 10_000 });
		const pushed = storyOf(sessionId, CALLS).subarray(0, bytes).toString('utf8').split('\n').filter(Boolean).length;
		const distinct = new Set(events.map(({ id }) => id)).size;
		counts.lost += pushed - distinct;
		counts.doubled += events.length - distinct;
	}
	await store.close();
	await s3.stop();
	await cluster.remove();
	return counts;
}
