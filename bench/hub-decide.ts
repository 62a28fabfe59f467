/*
 * `npm run bench hub-decide`: how long a decision takes from the hub's route to the answer that the waiting hook gets at its
 * machine. Hub, Postgres and machine run here, the hub and the machine in one process. Needs Debian's `postgresql`.
 */
import { postgresPrograms, startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { startDecisionRig } from '#server/testing/decision-rig.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report } from './rig/report.ts';

const CALLS = 100;

if (!postgresPrograms) {
	console.error('bench hub-decide: there is no Postgres here; on Debian: apt-get install postgresql');
	process.exit(1);
}
begin('hub-decide');
const cluster = await startPostgres();
const rig = await startDecisionRig(await cluster.database());
const machine = await rig.machine('laptop', 'hub');
const reader = await rig.signIn();
const released: number[] = [];
const accepted: number[] = [];
for (let n = 0; n < CALLS; n += 1) {
	const { id, answer } = await machine.ask(`call-${n}`);
	await rig.whenWaiting(reader, id);
	const at = performance.now();
	const release = answer.then(() => released.push(performance.now() - at));
	await reader.post(`/api/approvals/${id}`, { decision: 'approve' });
	accepted.push(performance.now() - at);
	await release;
}
for (const [what, times] of [
	['released', released],
	['told to the page', accepted],
] as const) {
	report(`decision at the hub, ${what}: p50`, ms(quantile(times, 0.5)), '< 500 ms');
	report(`decision at the hub, ${what}: p99`, ms(quantile(times, 0.99)));
}
await rig.stop();
await cluster.remove();
