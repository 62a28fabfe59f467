import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { builtChild } from '../../testing/built-child.ts';
import { addEdge, nextRange, noJournal, openStore, storyOf } from '../testing/hub-rig.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../testing/postgres-cluster.ts';
import { RangeFold } from './range-fold.ts';

vi.setConfig({ testTimeout: 7_200_000, hookTimeout: 60_000 });

const SESSIONS = 8;
const WRITERS = 3;
/** Of each session, for each kill: so that there is work left for all of them. */
const CALLS = 12;

describe.runIf(postgresPrograms !== undefined)('writers of one hub', () => {
	let cluster: PostgresCluster;
	let program: string;
	beforeAll(async () => {
		cluster = await startPostgres();
		program = await builtChild('hub-writer-child');
	});
	afterAll(async () => {
		await cluster.remove();
	});

	test('hub: of writers that race, are killed, and lose their database, nothing is lost and nothing is doubled', async () => {
		const { numRuns, seed } = soakRuns('hub', 3, 200);
		let state = seed;
		const below = (end: number) => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return Math.floor((state / 2 ** 32) * end);
		};
		const url = await cluster.database();
		const first = openStore(url);
		const { edge, team } = await addEdge(first.database);
		await first.store.close();
		const calls = CALLS * numRuns;

		let received = (_word: unknown): void => undefined;
		const start = (): ChildProcess =>
			fork(program, [url, edge, SESSIONS, calls].map(String))
				.on('message', (word) => received(word))
				.on('exit', (code) => received(code === null ? 'killed' : 'broken'));
		const writers = Array.from({ length: WRITERS }, start);
		/** Until so many more ranges were written, or one writer found nothing more to write. */
		const ranges = (count: number) =>
			new Promise<void>((resolve, reject) => {
				let left = count;
				received = (word) => {
					if (word === 'broken') reject(new Error('A writer ended by itself.'));
					left -= Number(word === 'took');
					if (left <= 0 || word === 'done') resolve();
				};
			});
		const counts = {
			events: SESSIONS * calls * 2,
			'writers killed': 0,
			'database stopped': 0,
			behind: 0,
			lost: 0,
			doubled: 0,
		};
		for (let n = 0; n < numRuns; n += 1) {
			await ranges(1 + below(12));
			if (n % 3 === 2) {
				await cluster.crash();
				await cluster.start();
				counts['database stopped'] += 1;
				continue;
			}
			const at = below(WRITERS);
			writers[at]?.kill('SIGKILL');
			writers[at] = start();
			counts['writers killed'] += 1;
		}
		await ranges(3);
		const gone = writers.map((writer) => once(writer, 'exit'));
		for (const writer of writers) writer.kill('SIGKILL');
		await Promise.all(gone);

		// What an edge does at its next connection: it asks where each session stands, and sends what comes after.
		const { store } = openStore(url);
		const fold = new RangeFold({ store, journalRows: noJournal, now: Date.now });
		const names = Array.from({ length: SESSIONS }, (_, n) => ({ edge, sessionId: `s${n}` }));
		for (const { key, sessionId, offset } of await store.open(names)) {
			const bytes = storyOf(sessionId, calls);
			let at = offset;
			while (at < bytes.length) {
				counts.behind += 1;
				const [result] = await fold.foldRanges([nextRange(key, bytes, at, 100_000)]);
				expect(result?.kind).toBe('committed');
				at = result?.session?.offset ?? bytes.length;
			}
		}
		const reads = store.reads({ teams: [team] });
		for (const { sessionId } of names) {
			const events = await reads.events(`${edge}/${sessionId}`, { after: 0, limit: 1_000_000 });
			const distinct = new Set(events.map(({ id }) => id));
			counts.lost += calls * 2 - distinct.size;
			counts.doubled += events.length - distinct.size;
			expect(events.map(({ id, seq }) => `${id} ${seq}`)).toEqual(events.map((_, n) => `${sessionId}-${n} ${n + 1}`));
			const view = await reads.view(`${edge}/${sessionId}`);
			expect(view?.counters).toMatchObject({ events: calls * 2, calls });
			expect(await reads.rows(`${edge}/${sessionId}`, { limit: 1_000_000 })).toHaveLength(calls);
		}
		soakCounts('hub', counts);
		expect(counts).toMatchObject({ lost: 0, doubled: 0 });
		await store.close();
	});
});
