import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import { openHubDatabase } from '../database/database.ts';
import { addEdge, nextRange, noJournal, rangesOf, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { packIds } from './archives.ts';
import { createPostgresStore } from './postgres-store.ts';
import { RangeFold } from './range-fold.ts';
import type { RollBounds } from './session-rolls.ts';

const DAY_MS = 86_400_000;
const BIRTH = Date.UTC(2026, 0, 1);
const birth = new Date(BIRTH).toISOString();
const never: RollBounds = { days: 10_000, events: 1_000_000 };

describe.runIf(postgresPrograms !== undefined)('a session that moves from partition to partition', () => {
	const newDatabase = sharedDatabases();
	let database: ReturnType<typeof openHubDatabase>;
	let now: number;
	let teams = 0;
	const failures: unknown[] = [];
	beforeEach(async () => {
		now = BIRTH;
		database = openHubDatabase(await newDatabase(), (error) => failures.push(error));
		return () => database.close();
	});

	const storeWith = (bounds: RollBounds) =>
		createPostgresStore(database, { now: () => now, failed: (error) => failures.push(error), bounds });
	const foldOver = (store: ReturnType<typeof storeWith>) =>
		new RangeFold({ store, journalRows: noJournal, now: () => now, viewEvents: 5 });

	/** All that readers get of the only session of a new machine, whatever its name and number. */
	async function readAll(store: ReturnType<typeof storeWith>, { edge, team }: { edge: number; team: number }) {
		const reads = store.reads({ teams: [team] });
		const name = `${edge}/s1`;
		const head = await reads.headOf(name);
		const shot = await reads.snapshot(name, 4);
		const rows = await reads.rows(name, { limit: 10_000 });
		const seqs = rows.map(({ seq }) => seq);
		const pages = await Promise.all(
			seqs.flatMap((seq) => [
				reads.rows(name, { before: seq, limit: 3 }),
				reads.rows(name, { after: seq, limit: 3 }),
				reads.events(name, { after: seq, limit: 5 }),
				reads.eventsSince(name, { epoch: head?.epoch ?? '', after: seq, limit: 2 }),
			]),
		);
		const byRow = await Promise.all(
			rows.map(async ({ key }) => [
				await reads.row(name, key),
				await reads.events(name, { after: 0, limit: 99, row: key }),
			]),
		);
		const all = await reads.events(name, { after: 0, limit: 10_000 });
		const ids = all.map(({ id }) => id);
		const found = {
			seq: head?.seq,
			shot: [shot?.view, shot?.rows],
			...{ rows, pages, byRow, all },
			times: await reads.timesOf(name, [0, ...seqs, 9999]),
			known: [...(await reads.knownIds(name, [...ids, 'none']))].sort(),
			ledger: (await reads.ledger({ limit: 999 })).map(({ line }) => line),
			list: (await store.summaries({ teams: [team] }, { now, limit: 9 })).sessions.map(({ seq }) => seq),
		};
		return JSON.parse(
			JSON.stringify(found)
				.replaceAll(`"${name}"`, '"s1"')
				.replaceAll(/"team \d+"/g, '"team"'),
		) as unknown;
	}

	/** The same bytes in ranges; a day passes before each, and each may be taken by a replica that knows nothing. */
	async function taken(bytes: Buffer, cuts: readonly number[], bounds: RollBounds, restarts: boolean) {
		now = BIRTH;
		const store = storeWith(bounds);
		teams += 1;
		const of = await addEdge(database, `team ${teams}`);
		const [session] = await store.open([{ edge: of.edge, sessionId: 's1' }]);
		const begin = () => foldOver(store);
		let replica = begin();
		for (const job of rangesOf(session?.key ?? 0, bytes, cuts, birth)) {
			now += DAY_MS;
			if (restarts) replica = begin();
			// By the number that it had at first, as a connection has it.
			expect(await replica.foldRanges([job])).toMatchObject([{ kind: 'committed' }]);
			expect(await replica.foldRanges([job]), 'the same range again').toMatchObject([{ kind: 'elsewhere' }]);
		}
		const rolls = await database.query<{ roll: number }>('SELECT roll FROM sessions WHERE edge = $1', [of.edge]);
		return { found: await readAll(store, of), rolls: rolls.length };
	}

	const foreign = { ts: birth, type: 'loop:start', category: 'loop', label: 'Loop' };
	const deny = { type: 'gate:verdict', gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, form: 'deny' };
	const of = (n: number) => ({ toolUseId: `c${n}`, tool: 'Bash' });
	const line = fc.oneof(
		fc.nat(40).map((n) => asLine(samplePrompt('s1', n))),
		fc.nat(5).map((n) => asLine(samplePrompt('s1', 100 + n, { ...of(n), type: 'tool:call', input: {} }))),
		fc.nat(5).map((n) => asLine(samplePrompt('s1', 200 + n, { ...of(n), type: 'tool:result' }))),
		fc.nat(5).map((n) => asLine(samplePrompt('s1', 300 + n, { ...of(n), ...deny }))),
		fc.nat(2).map((n) => `${JSON.stringify({ ...foreign, iteration: n })}\n`),
		fc.constant('noise\n'),
	);

	const twenty = Array.from({ length: 20 }, (_, n) => asLine(samplePrompt('s1', n)));

	test('a session that moves to newer partitions by its age or its length reads as if it had never moved', async () => {
		let most = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { minLength: 5, maxLength: 40 }),
				fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 }),
				fc.constantFrom({ days: 2, events: 1_000_000 }, { days: 10_000, events: 4 }, { days: 2, events: 4 }),
				fc.boolean(),
				async (lines, cuts, bounds, restarts) => {
					const bytes = Buffer.from(lines.join(''));
					const still = await taken(bytes, cuts, never, restarts);
					const moved = await taken(bytes, cuts, bounds, restarts);
					expect(moved.found).toEqual(still.found);
					expect(still.rolls).toBe(1);
					most = Math.max(most, moved.rolls);
				},
			),
			// The example moves more than once, whatever the others do.
			{ numRuns: 10, examples: [[twenty, [0.2, 0.4, 0.6, 0.8], { days: 10_000, events: 4 }, false]] },
		);
		expect(most).toBeGreaterThan(2);
		expect(failures).toEqual([]);
	});

	test('of replicas that move a session while others write it, nothing is lost and nothing is doubled', async () => {
		// Of one that moves nothing the others' moves are no business; it must notice them all the same.
		const replicas = [15, 40, never.events].map((most) => {
			const store = storeWith({ days: never.days, events: most });
			return { store, fold: foldOver(store) };
		});
		const { edge, team } = await addEdge(database);
		const bytes = storyOf('s1', 100);
		const racers = await Promise.all(
			replicas.map(async ({ store, fold }) => {
				const [session] = await store.open([{ edge, sessionId: 's1' }]);
				return { key: session?.key ?? 0, fold };
			}),
		);
		const race = async (from: number, about: number) => {
			const { to } = nextRange(0, bytes, from, about);
			const write = async ({ key, fold }: (typeof racers)[number]) => {
				let at = from;
				while (at < to) {
					const [result] = await fold.foldRanges([nextRange(key, bytes.subarray(0, to), at, 300)]);
					at = result?.session?.offset ?? at;
				}
			};
			await Promise.all(racers.map(write));
			return to;
		};
		for (let index = 0; index < bytes.length; ) {
			index = await race(index, 4000);
			// Whoever loses a single range looks again when nobody writes any more: so the quickest does not outrun those that move.
			index = await race(index, 300);
		}
		const events = await replicas[0]?.store.reads({ teams: [team] }).events(`${edge}/s1`, { after: 0, limit: 1000 });
		expect(events?.map(({ id, seq }) => [id, seq])).toEqual(Array.from({ length: 200 }, (_, n) => [`s1-${n}`, n + 1]));
		const rolls = await database.query('SELECT roll FROM sessions ORDER BY roll');
		expect(rolls.length).toBeGreaterThan(4);
		expect(rolls).toEqual(rolls.map((_, roll) => ({ roll })));
	});

	test('a moved session starts again as one when its file is replaced, and is listed once', async () => {
		const store = storeWith({ days: 1, events: 1000 });
		const { edge, team } = await addEdge(database);
		const pushLines = async (lines: string) => {
			const [session] = await store.open([{ edge, sessionId: 's1' }]);
			const { key = 0, offset = 0 } = session ?? {};
			const bytes = Buffer.from(lines);
			const job = { key, from: offset, to: offset + bytes.length, bytes, tailDigest: '', birth };
			expect(await foldOver(store).foldRanges([job])).toMatchObject([{ kind: 'committed' }]);
		};
		await pushLines(asLine(samplePrompt('s1', 1)));
		now += DAY_MS;
		await pushLines(asLine(samplePrompt('s1', 2)));
		const [session] = await store.open([{ edge, sessionId: 's1' }]);
		if (!session) throw new Error('no session');
		expect(session).toMatchObject({ seq: 2, base: 1 });
		await store.replace(session);
		await pushLines(asLine(samplePrompt('s1', 7)));
		const reads = store.reads({ teams: [team] });
		expect((await reads.events(`${edge}/s1`, { after: 0, limit: 9 })).map(({ id, seq }) => [id, seq])).toEqual([
			['e7', 1],
		]);
		expect((await store.summaries({ teams: [team] }, { now, limit: 9 })).sessions).toHaveLength(1);
		const kept = await database.query('SELECT gen, roll, rewritten FROM sessions ORDER BY gen, roll');
		expect(kept).toEqual([
			{ gen: 0, roll: 0, rewritten: true },
			{ gen: 0, roll: 1, rewritten: true },
			{ gen: 1, roll: 0, rewritten: false },
		]);
	});

	test('an event that is sent again after its partition is gone is known, and an equal foreign line gets the next number', async () => {
		const { edge, team } = await addEdge(database);
		const lines = [asLine(samplePrompt('s1', 1)), `${JSON.stringify(foreign)}\n`, asLine(samplePrompt('s1', 2))];
		const bytes = Buffer.from([...lines, ...lines, asLine(samplePrompt('s1', 3))].join(''));
		const single = await taken(bytes, [0.4], never, true);
		const store = storeWith({ days: never.days, events: 3 });
		const [session] = await store.open([{ edge, sessionId: 's1' }]);
		const key = session?.key ?? 0;
		const [first, second] = rangesOf(key, bytes, [0.45], birth);
		if (!first || !second) throw new Error('no ranges');
		await foldOver(store).foldRanges([first]);
		const name = `${edge}/s1`;
		const before = await store.reads({ teams: [team] }).events(name, { after: 0, limit: 9 });
		const taking = foldOver(store);
		await database.query('INSERT INTO packed_ids (skey, ids) VALUES ($1, $2)', [
			key,
			packIds(before.map(({ id }) => id)),
		]);
		// Does not fit; the session is taken up for it, and moves.
		await taking.foldRanges([{ ...second, from: second.to }]);
		await database.query('UPDATE sessions SET archived_at = now() WHERE key = $1', [key]);
		await database.query('DELETE FROM events WHERE skey = $1', [key]);
		expect(await taking.foldRanges([second])).toMatchObject([{ kind: 'committed' }]);
		const after = await store.reads({ teams: [team] }).events(name, { after: before.length, limit: 9 });
		const { all } = single.found as { all: { id: string }[] };
		expect([...before, ...after].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
	});
});
