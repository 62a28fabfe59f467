import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CLOSE, HUB_WIRE, MAX_BODY_BYTES } from '#lib/contract/hub/hub-wire.ts';
import { decodeHubFrame, encodeEdgeFrame } from '#lib/hub/frame.ts';
import { packBody } from '../../hub-protocol/pack-body.ts';
import { makeKey, signHello } from '../../hub-protocol/signatures.ts';
import { createLog } from '../../process/log.ts';
import { createTicketStore } from '../decisions/ticket-store.ts';
import { createCommandStore } from '../edges/command-store.ts';
import { createEdgeStore, listEdges } from '../edges/edge-store.ts';
import { openFeatureStore } from '../features/feature-intake.ts';
import { createLocalHints } from '../hints/hints.ts';
import { noJournal, openStore, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createEdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { openTogether } from '../timelines/postgres-store.ts';
import { RangeFold } from '../timelines/range-fold.ts';
import { createRangeWriter } from '../timelines/range-writer.ts';
import { EdgeConnection, type HubParts } from './edge-connection.ts';

const digest = 'a'.repeat(64);
const birth = '2026-01-01T00:00:00.000Z';

describe.runIf(postgresPrograms !== undefined)('what an edge sends', () => {
	const newDatabase = sharedDatabases();
	let hub: ReturnType<typeof openStore>;
	let parts: HubParts;
	const origin = 'https://hub.example';
	beforeAll(async () => {
		hub = openStore(await newDatabase());
		const log = createLog(() => undefined);
		const { query } = hub.database;
		const writer = createRangeWriter(new RangeFold({ store: hub.store, journalRows: noJournal, now: Date.now }), log);
		const { privateKey, publicKey } = makeKey();
		const identity = { privateKey, root: { v: 1 as const, origin, name: 'hub', key: publicKey } };
		const shared = {
			identity,
			wire: HUB_WIRE,
			store: hub.store,
			open: openTogether(hub.store),
			edges: createEdgeStore(query),
			journals: createEdgeJournalStore(query),
			commands: createCommandStore(query, identity),
			tickets: createTicketStore(query, createEdgeJournalStore(query).histories, Date.now),
			hints: createLocalHints(() => undefined),
			writer,
			log,
		};
		parts = {
			...shared,
			withdraw: async () => false,
			now: Date.now,
			noteArrival: () => false,
			rateLimits: createEdgeRateLimits(Date.now),
			admit: () => undefined,
			features: openFeatureStore(query, undefined, Date.now),
			onAnswered: () => undefined,
			onCommitted: () => undefined,
			onEnded: () => undefined,
		};
	});
	afterAll(async () => {
		await hub.store.close();
	});

	/** A machine that has joined, and how it connects. */
	async function joined() {
		const { privateKey, publicKey } = makeKey();
		const code = await parts.edges.mintCode('team', 1, 10);
		const { edge = 0 } = (await parts.edges.join({ code, key: publicKey, name: 'm', version: '0' })) ?? {};
		return { edge, privateKey };
	}
	type Machine = Awaited<ReturnType<typeof joined>>;

	/** A connection without a websocket, with the frames that it sent. */
	function connected() {
		const frames: ReturnType<typeof decodeHubFrame>[] = [];
		let closed: { code: number; reason: string } | undefined;
		let received = (): void => undefined;
		const socket = {
			send(data: Uint8Array) {
				frames.push(decodeHubFrame(data));
				received();
			},
			close(code: number, reason: string) {
				closed = { code, reason };
				received();
			},
		};
		const connection = new EdgeConnection(socket, parts);
		const next = <T>(find: () => T | undefined): Promise<T> =>
			new Promise((resolve) => {
				received = () => {
					const found = find();
					if (found !== undefined) resolve(found);
				};
				received();
			});
		const frameOf = (type: string) => next(() => frames.find((frame) => 'type' in frame && frame.type === type));
		return { connection, told: frames, frameOf, closed: () => next(() => closed) };
	}

	async function welcomed(machine?: Machine, counter = 0) {
		const { edge, privateKey } = machine ?? (await joined());
		const made = connected();
		const [challenge] = made.told;
		const nonce = challenge && 'type' in challenge && challenge.type === 'challenge' ? challenge.header.nonce : '';
		const hello = { edge, wire: HUB_WIRE, counter, journal: null, version: '0' };
		const again = encodeEdgeFrame('hello', signHello(hello, origin, nonce, privateKey));
		made.connection.receive(again);
		return { ...made, edge, again };
	}

	test('R2045 commands come in their order, again after each hello, until the edge has answered', async () => {
		const machine = await joined();
		const numbers = await Promise.all(
			['one', 'two', 'three'].map((text) => parts.commands.append(machine.edge, 'x', { said: text })),
		);
		expect(numbers.sort()).toEqual([1, 2, 3]);
		const sent = ({ told }: ReturnType<typeof connected>) =>
			told.flatMap((frame) => ('type' in frame && frame.type === 'command' ? [frame.header.n] : []));
		const first = await welcomed(machine);
		await first.frameOf('command');
		await vi.waitFor(() => expect(sent(first)).toEqual([1, 2, 3]));
		first.connection.receive(encodeEdgeFrame('result', { n: 1, state: 'done', journal: 4 }));
		first.connection.receive(encodeEdgeFrame('result', { n: 1, state: 'refused', journal: 4 }));
		await vi.waitFor(async () => expect(await parts.commands.pending(machine.edge, 0)).toHaveLength(2));
		expect(await parts.commands.result(machine.edge, 1)).toEqual({ n: 1, state: 'done', journal: 4 });
		const again = await welcomed(machine, 1);
		await vi.waitFor(() => expect(sent(again)).toEqual([2, 3]));
		expect(await parts.commands.append(machine.edge, 'x', { said: 'four' })).toBe(4);
		expect(await parts.commands.awaited([machine.edge, 99])).toEqual([machine.edge]);
		await again.connection.sendCommands();
		expect(sent(again)).toEqual([2, 3, 4]);
	});

	const range = { session: 's1', turn: 1, from: 0, to: 3, digest, journal: 0, bytes: 3 };
	const opened = { sessions: [{ id: 's1', size: 9, birth }] };
	const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

	test.each([
		['no hello', [encodeEdgeFrame('sessions', opened)], /no hello/, false],
		['noise', [new Uint8Array([9, 9, 9])], /shorter/, true],
		['a second hello', 'hello', /second hello/, true],
		[
			'a session that it has not told of',
			[encodeEdgeFrame('range', range, packBody(Buffer.from('{}\n')))],
			/has not announced/,
			true,
		],
		[
			'a bomb',
			[
				encodeEdgeFrame('sessions', opened),
				encodeEdgeFrame('range', { ...range, to: MAX_BODY_BYTES, bytes: MAX_BODY_BYTES }, bomb),
			],
			/not as long/,
			true,
		],
		[
			'a body that is not packed',
			[encodeEdgeFrame('sessions', opened), encodeEdgeFrame('range', range, Buffer.from('{}\n'))],
			/not as long/,
			true,
		],
		[
			'half a line',
			[encodeEdgeFrame('sessions', opened), encodeEdgeFrame('range', range, packBody(Buffer.from('abc')))],
			/end with a line/,
			true,
		],
		['no rows of a journal', [encodeEdgeFrame('journal', { bytes: 2 }, packBody(Buffer.from('{}')))], /no rows/, true],
		[
			'more than its credit',
			Array.from({ length: 40 }, () => encodeEdgeFrame('journal', { bytes: 9 }, bomb.subarray(0, 65_000))),
			/credit/,
			true,
		],
	] as const)('an edge that sends %s is refused with a reason', async (_what, frames, reason, greeted) => {
		const made = greeted ? await welcomed() : { ...connected(), again: new Uint8Array() };
		if (greeted) await made.frameOf('welcome');
		for (const frame of frames === 'hello' ? [made.again] : frames) made.connection.receive(frame);
		const { code, reason: words } = await made.closed();
		expect([code, words]).toEqual([CLOSE.bad, expect.stringMatching(reason)]);
	});

	test('R1750 who does not hold the key, says it for another hub, or says it again, is not let in', async () => {
		const machine = await joined();
		const other = await joined();
		const foreign = await welcomed({ ...machine, privateKey: other.privateKey });
		expect(await foreign.closed()).toMatchObject({ code: CLOSE.revoked });
		for (const [at, nonce] of [
			['https://other.example', undefined],
			[origin, 'n'.repeat(32)],
		] as const) {
			const made = connected();
			const [challenge] = made.told;
			const own = challenge && 'type' in challenge && challenge.type === 'challenge' ? challenge.header.nonce : '';
			const hello = { edge: machine.edge, wire: HUB_WIRE, counter: 0, journal: null, version: '0' };
			made.connection.receive(encodeEdgeFrame('hello', signHello(hello, at, nonce ?? own, machine.privateKey)));
			expect(await made.closed()).toMatchObject({ code: CLOSE.revoked });
		}
		await (await welcomed(machine)).frameOf('welcome');
		await parts.edges.setStatus(machine.edge, 'revoked');
		expect(await (await welcomed(machine, 1)).closed()).toMatchObject({ code: CLOSE.revoked });
	});

	test('the counter of connections survives a crash between its two steps, and reveals a copy', async () => {
		const machine = await joined();
		await (await welcomed(machine, 0)).frameOf('welcome');
		// The edge ended before it had written down the next.
		await (await welcomed(machine, 0)).frameOf('welcome');
		await (await welcomed(machine, 1)).frameOf('welcome');
		await (await welcomed(machine, 2)).frameOf('welcome');
		expect(await (await welcomed(machine, 0)).closed()).toMatchObject({ code: CLOSE.quarantined });
		expect(await (await welcomed(machine, 2)).closed()).toMatchObject({ code: CLOSE.quarantined });
		await parts.edges.setStatus(machine.edge, 'joined');
		await (await welcomed(machine, 2)).frameOf('welcome');
		expect(await (await welcomed(machine, 0)).closed()).toMatchObject({ code: CLOSE.quarantined });
	});

	test('an edge is asked to send a session again later if its archive cannot be read, and loses nothing', async () => {
		const made = await welcomed();
		await made.frameOf('welcome');
		made.connection.receive(encodeEdgeFrame('sessions', { sessions: [{ id: 'cold', size: 9, birth }] }));
		const at = await made.frameOf('at');
		const generation = at && 'type' in at && at.type === 'at' ? at.header.turn : 0;
		const { query } = hub.database;
		const stands = (archive: string | null) =>
			query(
				`UPDATE sessions SET archived_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END, archive = $2, archive_hash = $2
				WHERE edge = $1 AND session_id = 'cold'`,
				[made.edge, archive],
			);
		await stands('nowhere');
		const bytes = storyOf('cold', 1);
		const send = (of: number) => {
			const header = { ...range, session: 'cold', turn: of, to: bytes.length, bytes: bytes.length };
			made.connection.receive(encodeEdgeFrame('range', header, packBody(bytes)));
		};
		send(generation);
		expect(await made.frameOf('slow')).toMatchObject({ header: { ms: 1000 } });
		const again = made.told.at(-1);
		expect(again).toMatchObject({ type: 'at', header: { session: 'cold', turn: generation + 1, offset: 0 } });
		await stands(null);
		send(generation + 1);
		expect(await made.frameOf('ack')).toMatchObject({ header: { session: 'cold', to: bytes.length } });
	});

	test('an edge’s status is stored while it is connected, and so is its end', async () => {
		const made = await welcomed();
		await made.frameOf('welcome');
		const at = new Date(Date.now() + 60_000).toISOString();
		made.connection.receive(encodeEdgeFrame('status', { behind: 700, lateMs: 2500, sessions: 1, at }));
		const edge = async () => (await listEdges(hub.database.query, { teams: null, id: made.edge })).edges[0];
		await vi.waitFor(async () => {
			const { behind, clockAhead = 0 } = (await edge()) ?? {};
			expect(behind).toEqual({ bytes: 700, seconds: 3 });
			expect(Math.abs((clockAhead ?? 0) - 60)).toBeLessThan(30);
		});
		made.connection.closed();
		await vi.waitFor(async () => expect(await edge()).toMatchObject({ connected: false, behind: null }));
	});

	test('an edge of a wire that the hub does not speak is asked to upgrade', async () => {
		const { edge, privateKey } = await joined();
		const made = connected();
		const [challenge] = made.told;
		const nonce = challenge && 'type' in challenge && challenge.type === 'challenge' ? challenge.header.nonce : '';
		const hello = { edge, wire: HUB_WIRE + 1, counter: 0, journal: null, version: '9' };
		made.connection.receive(encodeEdgeFrame('hello', signHello(hello, origin, nonce, privateKey)));
		expect(await made.closed()).toMatchObject({ code: CLOSE.upgrade });
	});

	test('what was acknowledged and the database has lost is asked for again, though the edge writes nothing more', async () => {
		const { connection, told, frameOf, edge } = await welcomed();
		const places = () =>
			told.flatMap((frame) =>
				'type' in frame && frame.type === 'at' ? [[frame.header.turn, frame.header.offset]] : [],
			);
		connection.receive(encodeEdgeFrame('sessions', { sessions: [{ id: 's1', size: 9, birth }] }));
		await frameOf('at');
		connection.receive(encodeEdgeFrame('range', range, packBody(Buffer.from('{}\n'))));
		await frameOf('ack');
		await connection.checkAcknowledged();
		expect(places()).toEqual([[1, 0]]);

		// As a crash leaves it: a moment before the commit.
		connection.receive(encodeEdgeFrame('range', { ...range, from: 3, to: 6 }, packBody(Buffer.from('{}\n'))));
		await vi.waitFor(() => expect(told.filter((frame) => 'type' in frame && frame.type === 'ack')).toHaveLength(2));
		const [stored] = await hub.store.open([{ edge, sessionId: 's1' }]);
		const { query } = hub.database;
		const [placed] = await query<{ part: number }>('SELECT part FROM sessions WHERE key = $1', [stored?.key]);
		const where = [stored?.key, placed?.part];
		await query('DELETE FROM events WHERE skey = $1 AND part = $2 AND seq = 2', where);
		await query('DELETE FROM rows WHERE skey = $1 AND part = $2 AND seq = 2', where);
		await query('UPDATE sessions SET off = 3, seq = 1 WHERE key = $1 AND part = $2', where);
		await connection.checkAcknowledged();
		expect(places()).toEqual([
			[1, 0],
			[2, 3],
		]);
		connection.receive(encodeEdgeFrame('range', { ...range, turn: 2, from: 3, to: 6 }, packBody(Buffer.from('{}\n'))));
		await vi.waitFor(() => expect(told.filter((frame) => 'type' in frame && frame.type === 'ack')).toHaveLength(3));
		const [again] = await hub.store.open([{ edge, sessionId: 's1' }]);
		expect(again).toMatchObject({ offset: 6, seq: 2 });
		await connection.checkAcknowledged();
		expect(places()).toHaveLength(2);
	});

	test('a session that the database itself has lost is created again, and the edge sends it from the beginning', async () => {
		const { connection, told, frameOf, edge } = await welcomed();
		connection.receive(encodeEdgeFrame('sessions', { sessions: [{ id: 's1', size: 9, birth }] }));
		await frameOf('at');
		connection.receive(encodeEdgeFrame('range', range, packBody(Buffer.from('{}\n'))));
		await frameOf('ack');
		const [before] = await hub.store.open([{ edge, sessionId: 's1' }]);
		// As a standby has it that was behind.
		for (const table of ['events', 'rows', 'ledger', 'views', 'summaries'])
			await hub.database.query(`DELETE FROM ${table} WHERE skey = $1`, [before?.key]);
		await hub.database.query('DELETE FROM sessions WHERE key = $1', [before?.key]);
		await connection.checkAcknowledged();
		expect(told.at(-1)).toMatchObject({ type: 'at', header: { session: 's1', turn: 2, offset: 0 } });
		connection.receive(encodeEdgeFrame('range', { ...range, turn: 2 }, packBody(Buffer.from('{}\n'))));
		await vi.waitFor(() =>
			expect(told.at(-1)).toMatchObject({ type: 'ack', header: { session: 's1', turn: 2, to: 3 } }),
		);
		const [again] = await hub.store.open([{ edge, sessionId: 's1' }]);
		expect(again).toMatchObject({ offset: 3, seq: 1 });
		expect(again?.key).not.toBe(before?.key);
	});

	test('bytes that do not continue the stored session are refused; the edge learns where to continue', async () => {
		const made = await welcomed();
		await made.frameOf('welcome');
		made.connection.receive(encodeEdgeFrame('sessions', opened));
		await made.frameOf('at');
		const line = (n: number) =>
			Buffer.from(
				`${JSON.stringify({ id: `e${n}`, ts: birth, type: 'prompt:submit', category: 'c', label: 'l', prompt: 'x', source: 'user' })}\n`,
			);
		const send = (from: number, bytes: Buffer, generation: number, journal = 0) =>
			made.connection.receive(
				encodeEdgeFrame(
					'range',
					{ session: 's1', turn: generation, from, to: from + bytes.length, digest, journal, bytes: bytes.length },
					packBody(bytes),
				),
			);
		send(7, line(1), 1);
		send(0, line(2), 1);
		send(0, line(3), 2);
		send(0, line(4), 3, 9);
		send(line(3).length, line(5), 3);
		const places = () =>
			made.told.flatMap((frame) =>
				'type' in frame && frame.type === 'at' ? [[frame.header.turn, frame.header.offset]] : [],
			);
		await made.frameOf('ack');
		await parts.writer.stop();
		expect(places().slice(0, 2)).toEqual([
			[1, 0],
			[2, 0],
		]);
		const reads = hub.store.reads({ teams: [1] });
		const events = await reads.events(`${made.edge}/s1`, { after: 0, limit: 9 });
		expect(events.map(({ id }) => id)).toEqual(['e3']);
	});
});
