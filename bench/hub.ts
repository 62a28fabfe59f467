/*
 * `npm run bench hub`: what one event costs a replica and its Postgres, in processor time: live (a few lines each of many
 * sessions), catching up (ranges of 128 KiB), and a snapshot of a long session; `npx tsx bench/hub.ts --million` takes that
 * among 1,000,000 events, too. Needs Debian's `postgresql`.
 */
import { openHubDatabase } from '#server/hub/database/database.ts';
import { addEdge, nextRange, noJournal } from '#server/hub/testing/hub-rig.ts';
import { postgresPrograms, startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { createPostgresStore } from '#server/hub/timelines/postgres-store.ts';
import { RangeFold, type RangeJob } from '#server/hub/timelines/range-fold.ts';
import { familyCpuMs } from './rig/process-usage.ts';
import { realSizedStory } from './rig/real-sized-story.ts';
import { begin, report } from './rig/report.ts';

const SESSIONS = 40;
const LIVE_EVENTS = 3;
const LIVE_ROUNDS = 150;
const LONG = 10_000;
const MILLION = 1_000_000;
if (!postgresPrograms) {
	console.error('bench hub: there is no Postgres here; on Debian: apt-get install postgresql');
	process.exit(1);
}
begin('hub');
const cluster = await startPostgres();
const database = openHubDatabase(await cluster.database(), () => undefined);
const store = createPostgresStore(database, { now: Date.now, failed: console.error });
const { edge, team } = await addEdge(database);

async function measure(what: string, events: number, work: () => Promise<void>) {
	const hub = process.cpuUsage();
	const postgres = familyCpuMs(cluster.pid);
	await work();
	const { user, system } = process.cpuUsage(hub);
	const us = (ms: number) => `${((ms * 1000) / events).toFixed(0)} µs`;
	report(`${what}: replica`, us((user + system) / 1000));
	report(`${what}: Postgres`, us(familyCpuMs(cluster.pid) - postgres));
}

const fold = new RangeFold({ store, journalRows: noJournal, now: Date.now });
const names = Array.from({ length: SESSIONS }, (_, n) => ({ edge, sessionId: `live${n}` }));
const sessions = await store.open(names);
const stories = sessions.map(({ key, sessionId }) => ({
	key,
	bytes: realSizedStory(sessionId, LIVE_EVENTS * (LIVE_ROUNDS + 50)),
}));
const at = new Map<number, number>();

/** The next few events of every session, in one write. */
async function foldLiveBatch() {
	const jobs: RangeJob[] = stories.map(({ key, bytes }) => {
		const from = at.get(key) ?? 0;
		let to = from;
		for (let n = 0; n < LIVE_EVENTS * 2; n += 1) to = bytes.indexOf(10, to) + 1;
		at.set(key, to);
		return nextRange(key, bytes, from, to - from - 1);
	});
	await fold.foldRanges(jobs);
}

for (let n = 0; n < 40; n += 1) await foldLiveBatch();
// As autovacuum does within a minute: a table that Postgres knows nothing of is read by the wrong index.
await database.query('ANALYZE');
await measure(
	`live, ${SESSIONS} sessions x ${LIVE_EVENTS}, an event`,
	SESSIONS * LIVE_EVENTS * LIVE_ROUNDS,
	async () => {
		for (let n = 0; n < LIVE_ROUNDS; n += 1) await foldLiveBatch();
	},
);

const [long] = await store.open([{ edge, sessionId: 'long' }]);
const bytes = realSizedStory('long', LONG);
await measure(`catching up with ${LONG} events, an event`, LONG, async () => {
	for (let from = 0; from < bytes.length; ) {
		const job = nextRange(long?.key ?? 0, bytes, from, 128 * 1024);
		await fold.foldRanges([job]);
		from = job.to;
	}
});

const reads = store.reads({ teams: [team] });
const SHOTS = 100;
async function snapshots(among: number) {
	await measure(`snapshot (view, 200 rows) among ${among} events, each`, SHOTS, async () => {
		for (let n = 0; n < SHOTS; n += 1) await reads.snapshot(`${edge}/long`, 200);
	});
}
await snapshots(LONG + SESSIONS * LIVE_EVENTS * LIVE_ROUNDS);
if (process.argv.includes('--million')) {
	// A session moves on to a new place after 200,000 events, so that the others of its partition make up the million.
	const [placed] = await database.query<{ part: number }>('SELECT part FROM sessions WHERE key = $1', [long?.key]);
	const [other] = await store.open([{ edge, sessionId: 'others' }]);
	await database.query(
		`INSERT INTO events (part, skey, seq, id, row_key, denied, json)
		SELECT $1, $2, n, 'other-' || n, 'call-' || n / 2, false, repeat('x', 200) FROM generate_series(1, $3) AS n`,
		[placed?.part, other?.key, MILLION],
	);
	await database.query(
		`INSERT INTO rows (part, skey, key, seq, json)
		SELECT $1, $2, 'call-' || n, n * 2, repeat('x', 200) FROM generate_series(1, $3) AS n`,
		[placed?.part, other?.key, MILLION / 2],
	);
	await database.query('ANALYZE');
	await snapshots(MILLION);
}
await store.close();
await cluster.remove();
