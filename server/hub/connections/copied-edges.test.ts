import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { encodeEdgeFrame } from '#lib/hub/frame.ts';
import { packBody } from '../../hub-protocol/pack-body.ts';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { GENESIS, payloadHash, rowHash } from '../../timeline/store/journal-chain.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, joinMachine, type SimulatedEdge, type SimulatedMachine } from '../testing/simulated-edge.ts';

const ts = '2026-01-01T00:00:00.000Z';

describe.runIf(postgresPrograms !== undefined)('a machine and its copies', () => {
	const newDatabase = sharedDatabases();
	let rig: Awaited<ReturnType<typeof startReplica>>;
	let seen: typeof rig.seen;
	let edges: typeof rig.edges;
	let url: string;
	const open: SimulatedEdge[] = [];
	beforeAll(async () => {
		rig = await startReplica(await newDatabase());
		({ seen, edges, url } = rig);
	});
	afterAll(async () => {
		for (const edge of open) edge.stop();
		await rig.stop();
	});

	const joined = async () => joinMachine(url, await rig.newCode());
	/** Connects; gives how that ended: let in, or the code of the refusal. */
	async function comes(machine: SimulatedMachine): Promise<{ edge: SimulatedEdge; end: 'welcome' | number }> {
		const edge = connectEdge(url, machine);
		open.push(edge);
		const welcomed = edge.welcomed.then(() => 'welcome' as const);
		return { edge, end: await Promise.race([welcomed, edge.closed.then(({ code }) => code)]) };
	}
	async function times(machine: SimulatedMachine, count: number) {
		for (let n = 0; n < count; n += 1) {
			const { edge, end } = await comes(machine);
			expect(end).toBe('welcome');
			edge.stop();
			await edge.closed;
		}
	}
	const connectionEnd = async (machine: SimulatedMachine) => (await comes(machine)).end;
	const copyOf = (machine: SimulatedMachine): SimulatedMachine => ({ ...machine });

	/** Rows of a journal that goes on from a hash, and its head. */
	function rowsAfter(n: number, prev: string, words: readonly string[]) {
		let before = prev;
		const lines = words.map((word, index) => {
			const payload = { note: { salt: 'ab', value: word } } as unknown as Parameters<typeof payloadHash>[0];
			const row = {
				n: n + index + 1,
				id: `row-${word}`,
				ts,
				kind: 'setting:change' as const,
				subject: 'x',
				sessionId: null,
			};
			const sealed = { ...row, payloadHash: payloadHash(payload), signer: 'x', payload: JSON.stringify(payload) };
			before = rowHash(before, sealed);
			return { ...sealed, hash: before };
		});
		return { lines, head: { n: n + words.length, hash: before } };
	}
	async function tellsJournal(machine: SimulatedMachine, { lines, head }: ReturnType<typeof rowsAfter>) {
		const { edge, end } = await comes(machine);
		expect(end).toBe('welcome');
		const body = Buffer.from(JSON.stringify(lines));
		edge.send(encodeEdgeFrame('journal', { bytes: body.length }, packBody(body)));
		const closed = await Promise.race([edge.closed, edge.open(['s1'])]);
		machine.journal = head;
		edge.stop();
		return closed?.code;
	}

	const QUARANTINED = CLOSE.quarantined;
	test.each<
		[what: string, act: (machine: SimulatedMachine) => Promise<number | 'welcome' | undefined>, end: number | 'welcome']
	>([
		[
			'a copy of a machine that went on is quarantined',
			async (one) => {
				const copy = copyOf(one);
				await times(one, 2);
				return connectionEnd(copy);
			},
			QUARANTINED,
		],
		[
			'a stolen key with no counter is quarantined',
			async (one) => {
				await times(one, 3);
				return connectionEnd({ ...one, counter: 0 });
			},
			QUARANTINED,
		],
		[
			'a key of another is refused',
			async (one) => connectionEnd({ ...one, privateKey: makeKey().privateKey }),
			CLOSE.revoked,
		],
		[
			'a machine restored from a backup is quarantined',
			async (one) => {
				await times(one, 1);
				const backup = copyOf(one);
				await times(one, 2);
				return connectionEnd(backup);
			},
			QUARANTINED,
		],
		[
			'and so is one of which only the journal was restored',
			async (one) => {
				await tellsJournal(one, rowsAfter(0, GENESIS, ['a', 'b']));
				return connectionEnd({ ...one, journal: rowsAfter(0, GENESIS, ['a']).head });
			},
			QUARANTINED,
		],
		[
			'a journal with another row at the same place is a fork',
			async (one) => {
				await tellsJournal(one, rowsAfter(0, GENESIS, ['a', 'b']));
				return connectionEnd({ ...one, journal: rowsAfter(0, GENESIS, ['a', 'c']).head });
			},
			QUARANTINED,
		],
		[
			'a longer journal that does not follow is a fork as soon as it is told',
			async (one) => {
				await tellsJournal(one, rowsAfter(0, GENESIS, ['a', 'b']));
				const { head } = rowsAfter(0, GENESIS, ['x', 'y']);
				const other = rowsAfter(2, head.hash, ['z']);
				return tellsJournal({ ...one, journal: other.head }, other);
			},
			QUARANTINED,
		],
		[
			'a crash after the hub raised the counter costs nothing',
			async (one) => {
				await times(one, 1);
				const { counter } = one;
				await times(one, 1);
				return connectionEnd({ ...one, counter });
			},
			'welcome',
		],
		[
			'a crash before the hub raised it costs nothing',
			async (one) => {
				await times(one, 1);
				return connectionEnd(one);
			},
			'welcome',
		],
		[
			'a hub whose database was restored takes its machines',
			async (one) => {
				await times(one, 5);
				await seen.database.query('UPDATE edges SET counter = 1, pending_counter = 2 WHERE id = $1', [one.edge]);
				return connectionEnd(one);
			},
			'welcome',
		],
		[
			'two that are alive take turns until nothing more is taken of either',
			async (one) => {
				const twin = copyOf(one);
				for (const machine of [one, twin, one, twin, one, twin]) {
					const { edge, end } = await comes(machine);
					if (end !== 'welcome') return end;
					if (machine === twin) Object.assign(one, { counter: twin.counter });
					else Object.assign(twin, { counter: one.counter });
					await edge.open(['s1']);
				}
				return 'welcome';
			},
			QUARANTINED,
		],
		[
			'once one is taken back, the other is quarantined',
			async (one) => {
				const copy = copyOf(one);
				await times(one, 2);
				expect(await connectionEnd(copy)).toBe(QUARANTINED);
				expect(await connectionEnd(one), 'nobody is taken meanwhile').toBe(QUARANTINED);
				await edges.setStatus(one.edge, 'joined');
				await times(one, 1);
				return connectionEnd(copy);
			},
			QUARANTINED,
		],
	])('R2123 %s', async (_what, act, end) => {
		const machine = await joined();
		const other = await joined();
		await times(other, 1);
		expect(await act(machine)).toBe(end);
		// Whatever was tried, nothing changes for another one.
		expect((await comes(other)).end).toBe('welcome');
		const status = end === 'welcome' || end === CLOSE.revoked ? 'joined' : 'quarantined';
		expect((await edges.list()).find(({ id }) => id === machine.edge)).toMatchObject({ status });
	});
});
