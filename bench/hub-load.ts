/*
 * `npm run bench hub-load`: simulated machines over real websockets, each with one session that goes on, at one replica and
 * its Postgres. SIGNALBOX_BENCH_EDGES (1000), _RATE (2000 events a second, of all together) and _SECONDS (60) change it.
 * Needs Debian's `postgresql`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHubDatabase } from '#server/hub/database/database.ts';
import { createEdgeStore } from '#server/hub/edges/edge-store.ts';
import { postgresPrograms, startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { connectEdge, joinMachine } from '#server/hub/testing/simulated-edge.ts';
import { freePort } from '#server/process/free-port.ts';
import { cpuMs, familyCpuMs, memoryOf } from './rig/process-usage.ts';
import { quantile } from './rig/quantile.ts';
import { realSizedStory } from './rig/real-sized-story.ts';
import { begin, megabytes, ms, perSecond, report } from './rig/report.ts';

const { SIGNALBOX_BENCH_EDGES, SIGNALBOX_BENCH_RATE, SIGNALBOX_BENCH_SECONDS } = process.env;
const EDGES = Number(SIGNALBOX_BENCH_EDGES ?? 1000);
const RATE = Number(SIGNALBOX_BENCH_RATE ?? 2000);
const SECONDS = Number(SIGNALBOX_BENCH_SECONDS ?? 60);
/** Views are small and statements are not planned yet before. */
const WARM_SECONDS = 10;
/** Machines that come at the same time, and in how many ms at least: a replica takes 100 a second. */
const AT_ONCE = 20;
const COME_MS = 250;
const TICK_MS = 5;

if (!postgresPrograms) {
	console.error('bench hub-load: there is no Postgres here; on Debian: apt-get install postgresql');
	process.exit(1);
}
begin(`hub-load: ${EDGES} machines, ${RATE} events a second, ${SECONDS} s`);
// A run of minutes needs what a cluster of tests does without: autovacuum, and room.
const cluster = await startPostgres({ settings: ['shared_buffers=512MB', 'max_wal_size=4GB'] });
const databaseUrl = await cluster.database();
const database = openHubDatabase(databaseUrl, () => undefined);
const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const replica = fork(join(import.meta.dirname, '../server/testing/hub-child.ts'), [databaseUrl, home, String(port)], {
	execArgv: ['--import', 'tsx'],
	stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});
await once(replica, 'message');
const pid = replica.pid ?? 0;

const code = await createEdgeStore(database.query).mintCode('bench', EDGES, 60);
const NEWLINE = 10;

/** A machine with its next lines: a session of its own, written on as long as the run lasts. */
async function connected(n: number) {
	const id = `s${n}`;
	const bytes = realSizedStory(id, Math.ceil((RATE / EDGES) * (SECONDS + WARM_SECONDS)) + 2);
	const edge = connectEdge(url, await joinMachine(url, code, `machine-${n}`));
	await edge.welcomed;
	await edge.open([id]);
	let at = 0;
	return {
		stop: edge.stop,
		/** Sends the next event; gives for how long it waited until it was committed (ms). */
		async tell(): Promise<number> {
			// Our writers put a newline before each line, too.
			const end = bytes.indexOf(NEWLINE, at + 1) + 1;
			const lines = bytes.subarray(at, end);
			at = end;
			const begun = performance.now();
			await edge.push(id, lines);
			return performance.now() - begun;
		},
	};
}

const edges: Awaited<ReturnType<typeof connected>>[] = [];
while (edges.length < EDGES) {
	const next = Array.from({ length: Math.min(AT_ONCE, EDGES - edges.length) }, (_, n) => connected(edges.length + n));
	const rest = new Promise((resolve) => setTimeout(resolve, COME_MS));
	const [come] = await Promise.all([Promise.all(next), new Promise((resolve) => setTimeout(resolve, COME_MS))]);
	edges.push(...come);
	await rest;
}
await database.query('ANALYZE');

/** All machines take turns, against the clock: a late one delays no other. */
async function drive(seconds: number): Promise<number[]> {
	const waited: Promise<number>[] = [];
	const begun = performance.now();
	while (performance.now() - begun < seconds * 1000) {
		const due = Math.floor(((performance.now() - begun) / 1000) * RATE);
		while (waited.length < due) waited.push(edges[waited.length % EDGES]?.tell() ?? Promise.resolve(0));
		await new Promise((resolve) => setTimeout(resolve, TICK_MS));
	}
	return Promise.all(waited);
}

const warm = await drive(WARM_SECONDS);
await database.query('ANALYZE');
const before = { replica: cpuMs(pid), postgres: familyCpuMs(cluster.pid), own: process.cpuUsage() };
const begun = performance.now();
const waited = await drive(SECONDS);
const seconds = (performance.now() - begun) / 1000;
const own = process.cpuUsage(before.own);
const each = (spentMs: number) => `${((spentMs * 1000) / waited.length).toFixed(0)} µs`;
report('committed', perSecond(waited.length / seconds), perSecond(RATE));
report('from the machine to its acknowledgement, p50', ms(quantile(waited, 0.5)));
report('p99', ms(quantile(waited, 0.99)), '< 2000 ms');
report('the slowest', ms(quantile(waited, 1)));
report('memory of the replica, at most', megabytes(memoryOf(pid).peak), '< 700 MB');
report('an event: replica', each(cpuMs(pid) - before.replica), '<= 130 µs');
report('an event: Postgres', each(familyCpuMs(cluster.pid) - before.postgres), '<= 50 µs');
report('an event: the machines themselves', each((own.user + own.system) / 1000));
const [kept] = await database.query<{ events: number; ids: number }>(
	'SELECT count(*) AS events, count(DISTINCT (skey, id)) AS ids FROM events',
);
const sent = warm.length + waited.length;
report('lost, doubled', `${sent - (kept?.ids ?? 0)}, ${(kept?.events ?? 0) - (kept?.ids ?? 0)}`, '0, 0');

for (const edge of edges) edge.stop();
replica.kill('SIGTERM');
await once(replica, 'exit');
await database.close();
await cluster.remove();
rmSync(home, { recursive: true, force: true });
