import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import { answerAll, recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { addEdge, nextRange, noJournal, openStore, rangesOf, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeJournalStore } from './edge-journal-store.ts';
import { RangeFold } from './range-fold.ts';
import { createRangeWriter, type FinishedRange } from './range-writer.ts';

const foreign = { ts: '2026-01-01T00:00:00Z', type: 'loop:start', category: 'loop', label: '循環開始' };
const nul = samplePrompt('s1', 5, { prompt: 'a\0b', toolUseId: 'half \ud800 of a pair' });

/** One line by some writer: ours, a foreign one without an id, or noise. */
const line = fc.oneof(
	{ weight: 4, arbitrary: fc.nat(60).map((n) => asLine(samplePrompt('s1', n))) },
	{ weight: 3, arbitrary: fc.nat(2).map((n) => `${JSON.stringify({ ...foreign, iteration: n })}\n`) },
	{ weight: 1, arbitrary: fc.constantFrom('\n', 'noise\n', '"\n', 'é\u2028\n', '{}\n', asLine(nul)) },
);

describe.runIf(postgresPrograms !== undefined)('ranges of timelines', () => {
	const newDatabase = sharedDatabases();
	let hub: ReturnType<typeof openStore>;
	let team: { edge: number; team: number };
	beforeAll(async () => {
		hub = openStore(await newDatabase());
		team = await addEdge(hub.database);
	});
	afterAll(async () => {
		await hub.store.close();
	});

	/** What a single machine makes of the bytes. */
	async function onOneMachine(sessionId: string, bytes: Buffer) {
		const rig = createTimelineRig();
		rig.append(sessionId, bytes);
		const { tail, index, stop } = await rig.start();
		await tail.whenRead();
		const events = index.events(sessionId, { after: 0, limit: 1_000_000 });
		const found = { view: index.view(sessionId), events, rows: index.rows(sessionId, { limit: 1_000_000 }) };
		await stop();
		return found;
	}

	/** The same bytes in ranges; where `restarts` is set, each range is taken by a replica that knows nothing. */
	async function onTheHub(
		sessionId: string,
		bytes: Buffer,
		cuts: readonly number[],
		restarts: boolean,
		viewEvents: number,
	) {
		const { edge } = await addEdge(hub.database);
		const [session] = await hub.store.open([{ edge, sessionId }]);
		const birth = new Date().toISOString();
		const begin = () => new RangeFold({ store: hub.store, journalRows: noJournal, now: Date.now, viewEvents });
		const reads = hub.store.reads({ teams: [team.team] });
		const name = `${edge}/${sessionId}`;
		let replica = begin();
		for (const job of rangesOf(session?.key ?? 0, bytes, cuts, birth)) {
			if (restarts) replica = begin();
			expect(await replica.foldRanges([job])).toMatchObject([{ kind: 'committed' }]);
			expect(await replica.foldRanges([job]), 'the same range again').toMatchObject([{ kind: 'elsewhere' }]);
			// A reader in between: the next view goes on from what was read.
			if (restarts) await reads.view(name);
		}
		const all = await reads.events(name, { after: 0, limit: 1_000_000 });
		const view = await reads.view(name);
		const { machine, ...rest } = view ?? {};
		// All that a hub knows beside: whose it is.
		expect(machine).toEqual(view && { name: 'machine', team: 'team', level: 'watch', grants: 'never' });
		return {
			view: view && { ...rest, sessionId },
			events: all.map((event) => ({ ...event, sessionId })),
			rows: await reads.rows(name, { limit: 1_000_000 }),
		};
	}

	const timeless = <T extends { events: { type: string; ts: string }[]; view: unknown; rows: unknown }>(found: T) => {
		const first = found.events.findIndex(({ type }) => type !== 'system:gap');
		return first > 0 || (first === -1 && found.events.length > 0)
			? {
					...found,
					events: found.events.map((event, position) =>
						position < first || first === -1 ? { ...event, ts: '' } : event,
					),
					view: null,
					rows: null,
				}
			: found;
	};

	test('any ranges in which the bytes arrive, and any restarts in between, give what a single machine reads', async () => {
		const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { minLength: 1, maxLength: 25 }),
				cuts,
				fc.boolean(),
				fc.integer({ min: 1, max: 9 }),
				async (lines, places, restarts, viewEvents) => {
					const bytes = Buffer.from(lines.join(''));
					const [single, hubs] = await Promise.all([
						onOneMachine('s1', bytes),
						onTheHub('s1', bytes, places, restarts, viewEvents),
					]);
					expect(timeless(hubs)).toEqual(timeless({ ...single, view: single.view ?? hubs.view }));
				},
			),
			{ numRuns: 12 },
		);
	});

	test.each(['claude-code', 'codex', 'copilot', 'gemini', 'opencode', 'qwen'])(
		'the recorded runs of %s are the same on the hub, continued from its store with each range',
		async (client) => {
			const ports = memoryPorts();
			const inputs = recordedInputs(client).map(({ input }) => input);
			answerAll(client, inputs, ports);
			const cuts = Array.from({ length: 9 }, (_, n) => n / 9);
			for (const [sessionId, lines] of longest(ports.timelines)) {
				const bytes = Buffer.from(lines.map(asLine).join(''));
				const [hubs, single] = await Promise.all([
					onTheHub(sessionId, bytes, cuts, true, 7),
					onOneMachine(sessionId, bytes),
				]);
				expect(hubs).toEqual(single);
			}
		},
	);

	test('a range on which a read of the database or this program fails for good is a gap, and all others go on', async () => {
		const { edge, team: number } = await addEdge(hub.database);
		const ids = ['s1', 's2', 's3', 's4', 's5'];
		const sessions = await hub.store.open(ids.map((sessionId) => ({ edge, sessionId })));
		const quarantined: unknown[] = [];
		const refusing = async () => {
			await hub.database.query('SELECT 1 FROM edges WHERE name = $1', ['\0']);
			return noJournal();
		};
		const store: typeof hub.store = {
			...hub.store,
			async foldBases(asks) {
				if (asks.some(({ ids: wanted }) => wanted.includes('of-a-bug'))) throw new TypeError('a bug');
				return hub.store.foldBases(asks);
			},
		};
		const journalRows = async (_edge: number, wanted: readonly string[]) =>
			wanted.includes('of-a-refusal') ? refusing() : noJournal();
		const fold = new RangeFold({ ...{ store, journalRows, now: Date.now }, quarantined: (e) => quarantined.push(e) });
		const begun = sessions.map(({ key, sessionId }) => ({
			key,
			bytes: Buffer.from(asLine(samplePrompt(sessionId, 1))),
		}));
		await fold.foldRanges(begun.map(({ key, bytes }) => nextRange(key, bytes, 0, bytes.length)));
		const more = sessions.map(({ key, sessionId }, n) => {
			const line = samplePrompt(sessionId, 2);
			if (n === 1) Object.assign(line, { id: 'of-a-refusal', type: 'approval:resolve' });
			if (n === 3) line.id = 'of-a-bug';
			const bytes = Buffer.concat([begun[n]?.bytes ?? Buffer.of(), Buffer.from(asLine(line))]);
			return nextRange(key, bytes, begun[n]?.bytes.length ?? 0, bytes.length);
		});
		expect((await fold.foldRanges(more)).map(({ kind }) => kind)).toEqual(ids.map(() => 'committed'));
		const reads = hub.store.reads({ teams: [number] });
		const reading = ids.map((id) => reads.events(`${edge}/${id}`, { after: 1, limit: 9 }));
		expect((await Promise.all(reading)).flat().map(({ type }) => type)).toEqual([
			'prompt:submit',
			'system:gap',
			'prompt:submit',
			'system:gap',
			'prompt:submit',
		]);
		expect(quarantined).toHaveLength(2);
		expect([...(await createEdgeJournalStore(hub.database.query).rows(edge, ['\0', 'a\0b']))]).toEqual([]);
	});

	test('one bad range among those that were joined is a gap alone: the others are taken one by one', async () => {
		const { edge, team: number } = await addEdge(hub.database);
		const [session] = await hub.store.open([{ edge, sessionId: 's1' }]);
		const store: typeof hub.store = {
			...hub.store,
			async foldBases(asks) {
				if (asks.some(({ ids }) => ids.includes('of-a-bug'))) throw new TypeError('a bug');
				return hub.store.foldBases(asks);
			},
		};
		const quarantined: unknown[] = [];
		const options = { store, journalRows: noJournal, now: Date.now };
		const writer = createRangeWriter(
			new RangeFold({ ...options, quarantined: (error) => quarantined.push(error) }),
			createLog(() => undefined),
		);
		const lines = [1, 2, 3, 4].map((n) => asLine({ ...samplePrompt('s1', n), ...(n === 3 && { id: 'of-a-bug' }) }));
		const bytes = Buffer.from(lines.join(''));
		const jobs = rangesOf(session?.key ?? 0, bytes, [0.2, 0.45, 0.7], '2026-01-01T00:00:00.000Z');
		expect(jobs).toHaveLength(4);
		const enqueueJob = (job: (typeof jobs)[number]) =>
			new Promise<FinishedRange>((finish) => writer.enqueue({ job, edge, events: 1, finish }));
		const done = await Promise.all(jobs.map(enqueueJob));
		expect(done.map((one) => (one === 'within' ? one : one.session?.offset))).toEqual(jobs.map(({ to }) => to));
		const events = await hub.store.reads({ teams: [number] }).events(`${edge}/s1`, { after: 0, limit: 9 });
		expect(events.map(({ type }) => type)).toEqual(['prompt:submit', 'prompt:submit', 'system:gap', 'prompt:submit']);
		expect(quarantined).toHaveLength(1);
	});

	test('views that have all become old at once are written a few in each statement', async () => {
		const { edge } = await addEdge(hub.database);
		const names = Array.from({ length: 10 }, (_, n) => ({ edge, sessionId: `s${n}` }));
		const sessions = await hub.store.open(names);
		const written: number[] = [];
		const store: typeof hub.store = {
			...hub.store,
			append(ranges) {
				written.push(ranges.filter(({ checkpoint }) => checkpoint).length);
				return hub.store.append(ranges);
			},
		};
		let now = Date.now();
		const fold = new RangeFold({ store, journalRows: noJournal, now: () => now });
		const offsets = sessions.map(() => 0);
		const story = sessions.map(({ sessionId }) => storyOf(sessionId, 3));
		async function writeAll() {
			const jobs = sessions.map(({ key }, n) => nextRange(key, story[n] ?? Buffer.of(), offsets[n] ?? 0, 2));
			for (const [n, { to }] of jobs.entries()) offsets[n] = to;
			expect((await fold.foldRanges(jobs)).every(({ kind }) => kind === 'committed')).toBe(true);
		}
		await writeAll();
		now += 61_000;
		for (const _ of [1, 2, 3, 4]) await writeAll();
		expect(written).toEqual([0, 4, 4, 2, 0]);
	});
});
const longest = <T>(timelines: ReadonlyMap<string, readonly T[]>) =>
	[...timelines].sort(([, one], [, other]) => other.length - one.length).slice(0, 6);
