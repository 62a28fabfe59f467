import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { encodeEdgeFrame } from '#lib/hub/frame.ts';
import { storyOf } from '../testing/hub-rig.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { connectEdge, joinMachine } from '../testing/simulated-edge.ts';
import { dayOf } from '../timelines/session-row.ts';
import { HUB_METRICS } from './hub-metrics.ts';

const TOKEN = 'a token of sixteen characters';

/** Without the memory: it is that of the process in which other test files run, too. */
const metricsOf = (alarms: readonly { metric: string }[]) =>
	alarms.map(({ metric }) => metric).filter((metric) => metric !== 'signalbox_hub_memory_bytes');

describe.runIf(postgresPrograms !== undefined)('the numbers of a hub', () => {
	let cluster: PostgresCluster;
	let rig: Awaited<ReturnType<typeof startReplica>>;
	let seen: typeof rig.seen;
	let url: string;
	let ahead = 0;
	const now = () => Date.now() + ahead;
	beforeAll(async () => {
		cluster = await startPostgres();
		// Signed for an address of its own, as behind a proxy.
		const origin = 'https://hub.example';
		rig = await startReplica(await cluster.database(), { origin, now, metricsToken: TOKEN });
		({ seen, url } = rig);
	});
	afterAll(async () => {
		await rig.stop();
		await cluster.remove();
	});
	const get = (path: string, token = TOKEN) =>
		fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
	const numberOf = async (sample: string) =>
		(await (await get('/metrics')).text())
			.split('\n')
			.find((line) => line.startsWith(`${sample} `))
			?.split(' ')
			.at(-1);

	/** A machine that has taken the roster of so many hours ago. */
	const holdsRoster = (edge: number, hours: number) =>
		seen.database.query(
			`INSERT INTO roster_sends (edge, version, until) VALUES ($1, 1, now() + make_interval(hours => 24 - $2))`,
			[edge, hours],
		);

	test('every metric of the table is reported once machines exist, and none contains a text of a machine', async () => {
		const { query } = seen.database;
		for (let day = dayOf(Date.now()), last = day + 7; day <= last; day += 1)
			await query('SELECT make_partitions($1)', [day]);
		const { edges } = rig;
		const machine = await joinMachine(url, await edges.mintCode('secret-team', 1, 10), 'secret-machine');
		const edge = connectEdge(url, machine, 'https://hub.example');
		await edge.welcomed;
		await edge.open(['secret-session']);
		await edge.push('secret-session', storyOf('secret-session', 5));
		const at = new Date(Date.now() - 60_000).toISOString();
		await holdsRoster(machine.edge, 13);
		edge.send(encodeEdgeFrame('status', { behind: 4096, lateMs: 90_000, sessions: 1, at, level: 'passkey' }));
		await edge.push('secret-session', storyOf('more', 1));

		const text = await (await get('/metrics')).text();
		for (const name of Object.keys(HUB_METRICS)) expect(text, name).toContain(`# TYPE ${name} `);
		expect(text).not.toContain('secret');
		expect(text.split('\n')).toEqual(
			expect.arrayContaining([
				'signalbox_hub_edges{status="joined"} 1',
				'signalbox_hub_edges_connected 1',
				'signalbox_hub_lag_bytes{of="max"} 4096',
				'signalbox_hub_lag_seconds{of="p99"} 90',
				'signalbox_hub_events_total 12',
				'signalbox_hub_commit_seconds_count 2',
				'signalbox_hub_partition_days_ahead 7',
				'signalbox_hub_database_up 1',
				'signalbox_hub_refusals_total{why="roster/older"} 0',
			]),
		);
		const deep = await get('/health?deep');
		const { ok, alarms } = (await deep.json()) as { ok: boolean; alarms: { metric: string; do: string }[] };
		expect([deep.status, ok]).toEqual([503, false]);
		expect(metricsOf(alarms)).toEqual(['signalbox_hub_lag_seconds', 'signalbox_hub_clock_skew_seconds']);
		expect(alarms[0]?.do).toContain('add a replica');

		edge.send(new Uint8Array([1, 2, 3]));
		expect(await edge.closed).toMatchObject({ code: CLOSE.bad });
		expect(await numberOf('signalbox_hub_connections_ended_total{why="bad"}')).toBe('1');
		expect((await get('/health?deep')).status).toBe(200);
	});

	test('why machines refuse is counted by words of this program alone, and a roster that nobody renews rings', async () => {
		ahead = 20_000;
		const { query } = seen.database;
		const machine = await joinMachine(url, await rig.edges.mintCode('shop', 1, 10));
		const edge = connectEdge(url, machine, 'https://hub.example');
		await edge.welcomed;
		await holdsRoster(machine.edge, 20);
		const whys = ['command/signature', 'approval/late', 'version 3 is older than\n"secret"', undefined];
		for (const n of [1, 2, 3, 4])
			await query("INSERT INTO commands (edge, n, kind, envelope) VALUES ($1, $2, 'x', '')", [machine.edge, n]);
		for (const [index, why] of [...whys, 'command/signature'].entries())
			edge.send(
				encodeEdgeFrame('result', { n: Math.min(index + 1, 4), state: 'refused', ...(why && { why }), journal: 0 }),
			);
		const status = { behind: 0, sessions: 0, at: new Date(now()).toISOString(), level: 'passkey' as const };
		edge.send(encodeEdgeFrame('status', status));
		await edge.open(['s']);
		const text = await (await get('/metrics')).text();
		expect(text.split('\n')).toEqual(
			expect.arrayContaining([
				'signalbox_hub_refusals_total{why="command/signature"} 1',
				'signalbox_hub_refusals_total{why="desk"} 1',
				'signalbox_hub_refusals_total{why="words"} 2',
			]),
		);
		expect(text).not.toContain('secret');
		expect(Number(await numberOf('signalbox_hub_roster_age_seconds')) / 3600).toBeCloseTo(20, 1);
		const { alarms } = (await (await get('/health?deep')).json()) as { alarms: { metric: string }[] };
		expect(metricsOf(alarms)).toEqual(['signalbox_hub_refusals_total', 'signalbox_hub_roster_age_seconds']);
		edge.stop();
	});

	test('nobody reads the numbers without the token, from this machine neither; whether the hub lives anybody may ask', async () => {
		for (const path of ['/metrics', '/health?deep', '/health?deep=1']) {
			for (const token of ['', 'another', `${TOKEN} `.repeat(2)]) {
				const answer = await get(path, token);
				expect([answer.status, await answer.text()], path).toEqual([
					401,
					expect.stringContaining('SIGNALBOX_METRICS_TOKEN'),
				]);
			}
		}
		expect((await fetch(`${url}/health`)).status).toBe(200);
	});

	test('without the token `/health` says whether the replica serves and no number; with it, its numbers too', async () => {
		const bodyOf = async (answer: Promise<Response>) => (await answer).json();
		expect(await bodyOf(fetch(`${url}/health`))).toEqual({ ok: true });
		expect(await bodyOf(get('/health', 'another'))).toEqual({ ok: true });
		expect(await bodyOf(get('/health'))).toMatchObject({
			ok: true,
			database: true,
			waitingBytes: 0,
			hints: { up: true },
		});
	});

	test('while the database is away the numbers are still there, and say so', async () => {
		await cluster.crash();
		ahead = 60_000;
		expect(await numberOf('signalbox_hub_database_up')).toBe('0');
		expect((await get('/health?deep')).status).toBe(503);
	});
});
