/*
 * `npm run bench replicas`: a hub of two replicas with a Redis, in processes of their own. From the append on a machine to a
 * viewer of the replica to which that machine is not connected, and what a live event costs the replicas in all: the edge's
 * frame, the fold, the write, the hint. Needs Debian's `postgresql` and `redis-server`.
 */
import { hubNameOf } from '#lib/ids/session-name.ts';
import { postgresPrograms } from '#server/hub/testing/postgres-cluster.ts';
import { redisProgram } from '#server/hub/testing/redis-server.ts';
import { startReplicaFixture } from '#soak/hub/replica-fixture.ts';
import { cpuMs } from './rig/process-usage.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report } from './rig/report.ts';

const APPENDS = 200;
const SESSIONS = 40;
const ROUNDS = 60;
const EVENTS_A_ROUND = 3;

if (!postgresPrograms || !redisProgram) {
	console.error('bench replicas: Postgres or Redis is missing; on Debian: apt-get install postgresql redis-server');
	process.exit(1);
}
begin('replicas');
const TOKEN = 'numbers of the replicas';
process.env.SIGNALBOX_METRICS_TOKEN = TOKEN;
const fixture = await startReplicaFixture({ replicas: 2, machines: 1 });
const [machine] = fixture.machines;
if (!machine) throw new Error('There is no machine.');

/** About 810 bytes, as events of real sessions have. */
function eventLine(sessionId: string, n: number): string {
	const text = 'a line of what an agent reads or writes, as long as they are '.repeat(9);
	const of = { id: `${sessionId}-${n}`, ts: new Date().toISOString(), sessionId, category: 'tool', tool: 'Bash' };
	const fields = n % 2 === 0 ? { type: 'tool:call', input: { command: text } } : { type: 'tool:result', output: text };
	return `\n${JSON.stringify({ ...of, label: 'Call', toolUseId: `call-${n >> 1}`, ...fields })}\n`;
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

/** The replica that has the machine's connection is the one that counts it. */
async function holder(): Promise<number> {
	for (const [at, port] of fixture.ports.entries()) {
		const headers = { authorization: `Bearer ${TOKEN}` };
		const { edges } = (await (await fetch(`http://127.0.0.1:${port}/health`, { headers })).json()) as { edges: number };
		if (edges > 0) return at;
	}
	throw new Error('The machine is not connected.');
}

const name = hubNameOf({ edge: machine.edge, sessionId: 'watched' });
const signedIn = await fixture.signIn();
machine.tell('watched', eventLine('watched', 0));
const at = await holder();
const viewers = { same: fixture.watch(at, signedIn, [name]), other: fixture.watch(1 - at, signedIn, [name]) };
const seqOf = (who: keyof typeof viewers) => viewers[who].stateOf(name).view?.seq ?? 0;
while (seqOf('same') < 1 || seqOf('other') < 1) await soon();
const took = { same: [] as number[], other: [] as number[] };
for (let n = 1; n <= APPENDS; n += 1) {
	const begun = performance.now();
	const missing = new Set(['same', 'other'] as const);
	machine.tell('watched', eventLine('watched', n));
	while (missing.size > 0) {
		await soon();
		for (const who of missing) if (seqOf(who) > n && missing.delete(who)) took[who].push(performance.now() - begun);
	}
	// Longer than batches are gathered: each is an event that comes alone.
	await new Promise((resolve) => setTimeout(resolve, 40));
}
for (const who of ['same', 'other'] as const) {
	const where = who === 'same' ? 'of the same replica' : 'of the other replica';
	report(`append to a viewer ${where}, p50`, ms(quantile(took[who], 0.5)), who === 'other' ? '< 150 ms' : undefined);
	report(`append to a viewer ${where}, p99`, ms(quantile(took[who], 0.99)));
	viewers[who].stop();
}

const ids = Array.from({ length: SESSIONS }, (_, n) => `live${n}`);
const pushed = new Map(ids.map((id) => [id, 0]));
async function pushBatch() {
	for (const id of ids) {
		const from = pushed.get(id) ?? 0;
		pushed.set(id, from + EVENTS_A_ROUND);
		machine?.tell(id, Array.from({ length: EVENTS_A_ROUND }, (_, n) => eventLine(id, from + n)).join(''));
	}
	while ((machine?.state().behind ?? 0) > 0) await soon();
}
for (let n = 0; n < 20; n += 1) await pushBatch();
const pids = fixture.replicas.map((replica) => replica?.pid ?? 0);
const used = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
const before = used();
for (let n = 0; n < ROUNDS; n += 1) await pushBatch();
const events = SESSIONS * EVENTS_A_ROUND * ROUNDS;
const eachUs = ((used() - before) / events) * 1000;
report(`live, ${SESSIONS} sessions x ${EVENTS_A_ROUND}, both replicas in all, an event`, `${eachUs.toFixed(0)} µs`);
await fixture.stop();
