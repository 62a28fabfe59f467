import { expect, test, vi } from 'vitest';
import { AppError } from '#lib/contract/errors.ts';
import { createLog } from '../../process/log.ts';
import { collect, type Received, range, seqs, startRealtime, subscribe, until } from '../../testing/realtime-rig.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';

type Read = 'headOf' | 'snapshot' | 'eventsSince';

/** Lets `meanwhile` happen around the nth thing that is asked of the store: before it looks, or before the answer is heard. */
function readsThat(meanwhile: (when: 'before' | 'after', nth: number) => Promise<void>) {
	let queries = 0;
	return {
		asked: () => queries,
		over(reads: SessionReads): SessionReads {
			const around = <K extends Read>(name: K) =>
				(async (...given: never[]) => {
					queries += 1;
					const nth = queries;
					await meanwhile('before', nth);
					const answer = await (reads[name] as (...all: never[]) => Promise<unknown>)(...given);
					await meanwhile('after', nth);
					return answer;
				}) as SessionReads[K];
			return {
				...reads,
				headOf: around('headOf'),
				snapshot: around('snapshot'),
				eventsSince: around('eventsSince'),
			};
		},
	};
}

/** The seqs that the page holds: of the newest snapshot, then each event that came of its epoch. */
function heldSeqs({ snapshots, batches }: Received): number[] {
	const snapshot = snapshots.at(-1);
	const epoch = snapshot?.epoch ?? batches.at(-1)?.epoch;
	const from = snapshot?.view.seq ?? 0;
	const after = batches.filter((batch) => batch.epoch === epoch).flatMap(({ events }) => events.map(({ seq }) => seq));
	return [...range(1, from), ...after.filter((seq) => seq > from)];
}

const starts = [
	['a first load', null],
	['a resume', 1000],
	['a resume from too far back', 0],
] as const;
type Rig = Awaited<ReturnType<typeof startRealtime>>;

/** Subscribes to a session of 1,150 events, where `meanwhile` happens around the nth question to the store. */
async function subscribeWith(
	since: number | null,
	{ nth, when }: { nth: number; when: 'before' | 'after' },
	meanwhile: (rig: Rig) => Promise<void>,
) {
	let happens = () => Promise.resolve();
	const reads = readsThat(async (now, n) => {
		if (now === when && n === nth) await happens();
	});
	const rig = await startRealtime({ readsOver: reads.over });
	await rig.write('s1', 1150);
	happens = () => meanwhile(rig);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1', { epoch: rig.index.epochOf('s1') ?? null, since: since ?? 5000 });
	const has = (seq: number) => until(client, () => heldSeqs(got).at(-1) === seq);
	return { rig, got, has, asked: reads.asked };
}

/** Once for each await point of a subscription that nothing disturbs. */
async function atEachPoint(
	since: number | null,
	meanwhile: (rig: Rig) => Promise<void>,
	check: (run: Awaited<ReturnType<typeof subscribeWith>>) => Promise<void>,
): Promise<void> {
	const undisturbed = await subscribeWith(since, { nth: 0, when: 'before' }, meanwhile);
	await undisturbed.has(1150);
	const points = undisturbed.asked();
	await undisturbed.rig.close();
	expect(points).toBeGreaterThan(1);
	for (const when of ['before', 'after'] as const)
		for (let nth = 1; nth <= points; nth += 1) {
			const run = await subscribeWith(since, { nth, when }, meanwhile);
			await check(run);
			await run.rig.close();
		}
}

test.each(starts)(
	'what is pushed at any await point of %s is neither lost nor doubled',
	async (_name, since) => {
		await atEachPoint(
			since,
			(rig) => rig.write('s1', 3),
			async ({ rig, got, has }) => {
				await has(1153);
				await rig.write('s1', 1);
				await has(1154);
				expect(heldSeqs(got)).toEqual(range(got.snapshots.length > 0 ? 1 : (since ?? 0) + 1, 1154));
			},
		);
	},
	60_000,
);

test.each(starts)(
	'a file that is replaced at any await point of %s is a new snapshot',
	async (_name, since) => {
		await atEachPoint(
			since,
			async (rig) => {
				rig.index.forget('s1');
				await rig.write('s1', 2);
			},
			async ({ rig, got, has }) => {
				await has(1152);
				await rig.write('s1', 1);
				await has(1153);
				expect(got.snapshots.at(-1)?.epoch).toBe(rig.index.epochOf('s1'));
				expect(heldSeqs(got)).toEqual(range(1, 1153));
			},
		);
	},
	60_000,
);

test('a session whose file was replaced starts again for its watchers, and for no one else', async () => {
	const rig = await startRealtime();
	await rig.write('s1', 5);
	await rig.write('s2', 5);
	const [one, two] = [rig.client(), rig.client()];
	const [first, second] = [collect(one), collect(two)];
	await Promise.all([subscribe(one, 'session:s1'), subscribe(two, 'session:s2')]);
	await until(two, () => second.snapshots.length === 1);
	rig.index.forget('s1');
	await rig.write('s1', 1);
	await until(one, () => first.snapshots.at(-1)?.epoch === rig.index.epochOf('s1'));
	await rig.write('s2', 1);
	await until(two, () => seqs(second).at(-1) === 6);
	expect(second.snapshots).toHaveLength(1);
	expect(seqs(second)).toEqual([6]);
	await rig.close();
});

test('a list that could not be read is read again, with what changed meanwhile', async () => {
	const rig = await startRealtime();
	await rig.write('s1', 1);
	const views = vi.spyOn(rig.tail, 'views').mockImplementation(() => {
		throw new Error('the database is away');
	});
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'sessions');
	await rig.write('s2', 1);
	views.mockRestore();
	await until(client, () => got.updates.some(({ full }) => full));
	const ids = got.updates.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
	expect([...new Set(ids)].sort()).toEqual(['s1', 's2']);
	await rig.close();
}, 30_000);

test('a store that cannot be asked is asked again, and nothing is lost', async () => {
	let fails = 2;
	const rig = await startRealtime({
		readsOver: (reads) => ({
			...reads,
			eventsSince: async (...given) => {
				if (fails > 0) {
					fails -= 1;
					throw new Error('the database is away');
				}
				return reads.eventsSince(...given);
			},
		}),
	});
	await rig.write('s1', 10);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1', { epoch: rig.index.epochOf('s1') ?? '', since: 4 });
	await rig.write('s1', 2);
	await until(client, () => seqs(got).at(-1) === 12);
	expect(seqs(got)).toEqual(range(5, 12));
	await rig.close();
}, 30_000);

test('a session that cannot be read for a while comes as soon as it can be, and that is logged once', async () => {
	let fails = 2;
	const lines: string[] = [];
	const rig = await startRealtime({
		log: createLog((line) => void lines.push(line)),
		readsOver: (reads) => ({
			...reads,
			snapshot: async (...given) => {
				if (fails > 0) {
					fails -= 1;
					throw new AppError('hub/archive-away');
				}
				return reads.snapshot(...given);
			},
		}),
	});
	await rig.write('s1', 10);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1');
	await until(client, () => got.snapshots.length === 1);
	expect(lines).toEqual([expect.stringContaining('warn realtime: a session cannot be read now session="s1"')]);
	await rig.close();
}, 30_000);

test('an announced session that is not in the store is read again once a second, not without a pause', async () => {
	let queries = 0;
	let isThere = false;
	const rig = await startRealtime({
		readsOver: (reads) => ({
			...reads,
			async eventsSince(...given) {
				queries += 1;
				return isThere ? reads.eventsSince(...given) : [];
			},
		}),
	});
	await rig.write('s1', 20);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1', { epoch: rig.index.epochOf('s1') ?? null, since: 10 });
	await vi.waitFor(() => expect(queries).toBeGreaterThan(0));
	for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setTimeout(resolve, 1));
	expect(queries).toBeLessThan(4);
	isThere = true;
	await until(client, () => seqs(got).at(-1) === 20);
	expect(seqs(got)).toEqual(range(11, 20));
	await rig.close();
});
