import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { readRetryAfter } from '#lib/hub/frame.ts';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, type SimulatedMachine } from '../testing/simulated-edge.ts';
import { createAdmission } from './edge-connections.ts';

const TOKEN = 'a token of sixteen characters';
const MACHINES = 130;

test('R2214 no more than 100 hellos a second are accepted; a refused one gets a time by which all of them find room', () => {
	let at = 0;
	const admit = createAdmission(() => at);
	const times = (count: number) => Array.from({ length: count }, admit);
	const taken = (waits: readonly unknown[]) => waits.filter((seconds) => seconds === undefined).length;
	expect(taken(times(60))).toBe(60);
	at = 900;
	expect(taken(times(60)), 'a second has no more than 100').toBe(40);
	at = 1000;
	expect(taken(times(90))).toBe(60);
	const flood = times(10_000).flatMap((seconds) => seconds ?? []);
	expect(flood[0]).toBeLessThanOrEqual(3);
	expect(flood.at(-1)).toBe(60);
	expect(flood).toEqual([...flood].sort((a, b) => a - b));
	at = 200_000;
	expect(taken(times(101)), 'all has passed').toBe(100);
	expect(admit()).toBe(2);
	at = 0;
	expect(admit(), 'a clock that was set back').toBeUndefined();
});

describe.runIf(postgresPrograms !== undefined)('a flood of machines', () => {
	const newDatabase = sharedDatabases();
	let replica: Awaited<ReturnType<typeof startReplica>>;
	let ahead = 0;
	beforeAll(async () => {
		const begun = Date.now();
		replica = await startReplica(await newDatabase(), { metricsToken: TOKEN, now: () => begun + ahead });
	});
	afterAll(() => replica.stop());

	test('R2214 a flood of hellos is accepted 100 a second, the others are refused with a time and a count, and all get in', async () => {
		const { edges, url } = replica;
		const code = await edges.mintCode('team', MACHINES + 1, 10);
		const { privateKey, publicKey } = makeKey();
		const [first, ...machines] = await Promise.all(
			Array.from({ length: MACHINES + 1 }, async (_, n): Promise<SimulatedMachine> => {
				const key = n === 0 ? { privateKey, publicKey } : makeKey();
				const joined = await edges.join({ code, key: key.publicKey, name: `m${n}`, version: '0' });
				return { edge: joined?.edge ?? 0, privateKey: key.privateKey, counter: 0, journal: null };
			}),
		);
		const bystander = connectEdge(url, first as SimulatedMachine);
		await bystander.welcomed;
		await bystander.open(['s1']);
		ahead += 1000;
		let outside = machines;
		const rounds: number[] = [];
		const open: { stop(): void }[] = [bystander];
		while (outside.length > 0) {
			const ends = await Promise.all(
				outside.map(async (machine) => {
					const edge = connectEdge(url, machine);
					open.push(edge);
					return { machine, end: await Promise.race([edge.welcomed, edge.closed]) };
				}),
			);
			const away = ends.flatMap(({ machine, end }) => (end ? [{ machine, ...end }] : []));
			rounds.push(ends.length - away.length);
			for (const { code: why, reason } of away) {
				expect(why).toBe(CLOSE.later);
				expect(readRetryAfter(reason)).toBeGreaterThan(0);
			}
			outside = away.map(({ machine }) => machine);
			// Whoever is in goes on meanwhile.
			await bystander.push('s1', storyOf(`s-${rounds.length}`, 1));
			ahead += 1000;
		}
		expect(rounds).toEqual([100, 30]);
		const numbers = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
		expect(await numbers.text()).toContain('signalbox_hub_connections_ended_total{why="crowded"} 30\n');
		for (const edge of open) edge.stop();
	});

	test('hellos that nobody signed take no machine’s place: one that signs is let in within the same second', async () => {
		const { edges, url } = replica;
		ahead += 1000;
		const code = await edges.mintCode('team', 1, 10);
		const own = makeKey();
		const joined = await edges.join({ code, key: own.publicKey, name: 'honest', version: '0' });
		const machine = { edge: joined?.edge ?? 0, privateKey: own.privateKey, counter: 0, journal: null };
		const { privateKey } = makeKey();
		const flood = Array.from({ length: 150 }, (_, n) =>
			connectEdge(url, { ...machine, edge: n % 2 === 0 ? machine.edge : 1_000_000 + n, privateKey }),
		);
		const ends = await Promise.all(flood.map((edge) => Promise.race([edge.welcomed, edge.closed])));
		expect(new Set(ends.map((end) => end?.code))).toEqual(new Set([CLOSE.revoked]));
		const honest = connectEdge(url, machine);
		expect(await Promise.race([honest.welcomed, honest.closed])).toBeUndefined();
		for (const edge of [...flood, honest]) edge.stop();
	});
});
