import { expect, test } from 'vitest';
import { createLog } from '../../process/log.ts';
import type { FoldedRange, RangeJob } from './range-fold.ts';
import { createRangeWriter, type FinishedRange } from './range-writer.ts';

test('each edge comes to its turn, however much another one has sent', async () => {
	const written: string[][] = [];
	const fold = {
		async foldRanges(jobs: readonly RangeJob[]): Promise<FoldedRange[]> {
			written.push(jobs.map(({ key }) => `${key > 900 ? 'honest' : 'flood'}`));
			return jobs.map(() => ({ kind: 'committed' }) as unknown as FoldedRange);
		},
		storeViews: async () => undefined,
	};
	const writer = createRangeWriter(
		fold,
		createLog(() => undefined),
	);
	const enqueueRange = (edge: number, key: number, events: number, finish: () => void = () => undefined) =>
		writer.enqueue({
			edge,
			events,
			finish,
			job: { key, from: 0, to: 1, bytes: null, tailDigest: '', birth: '' },
		});
	for (let key = 0; key < 300; key += 1) enqueueRange(key % 3, key, 400);
	await new Promise<void>((resolve) => enqueueRange(9, 901, 1, resolve));
	// The first took one range alone, as soon as it came; then each edge has had one turn.
	expect(written.findIndex((jobs) => jobs.includes('honest'))).toBe(1);
	expect(Math.max(...written.map((jobs) => jobs.length))).toBeLessThanOrEqual(7);
});

test('a range behind one that is not accepted is not accepted either, and its sender learns so', async () => {
	const fold = {
		foldRanges: async (jobs: readonly RangeJob[]): Promise<FoldedRange[]> =>
			jobs.map(() => ({ kind: 'elsewhere', session: undefined })),
		storeViews: async () => undefined,
	};
	const writer = createRangeWriter(
		fold,
		createLog(() => undefined),
	);
	const bytes = Buffer.alloc(100);
	const heard = [1, 2, 3].map(
		(from) =>
			new Promise<FinishedRange>((finish) =>
				writer.enqueue({
					edge: 1,
					events: 1,
					finish,
					job: { key: 1, from, to: 9, bytes, tailDigest: '', birth: '' },
				}),
			),
	);
	expect((await Promise.all(heard)).map((done) => done !== 'within' && done.kind)).toEqual([
		'elsewhere',
		'elsewhere',
		'elsewhere',
	]);
	expect(writer.bytes()).toBe(0);
});

test('many machines that each send a little share statements', async () => {
	const written: number[] = [];
	const fold = {
		async foldRanges(jobs: readonly RangeJob[]): Promise<FoldedRange[]> {
			written.push(jobs.length);
			return jobs.map(() => ({ kind: 'committed' }) as unknown as FoldedRange);
		},
		storeViews: async () => undefined,
	};
	const writer = createRangeWriter(
		fold,
		createLog(() => undefined),
	);
	const enqueueRange = (edge: number) =>
		new Promise((finish) =>
			writer.enqueue({
				...{ edge, events: 1, finish },
				job: { key: edge, from: 0, to: 1, bytes: null, tailDigest: '', birth: '' },
			}),
		);
	await enqueueRange(0);
	const rest: Promise<unknown>[] = [];
	for (let edge = 1; edge <= 39; edge += 1) {
		rest.push(enqueueRange(edge));
		await Promise.resolve();
	}
	await Promise.all(rest);
	expect(written).toEqual([1, 39]);
});

test('the waiting ranges of a session are written as one, and each is acknowledged once', async () => {
	const written: RangeJob[][] = [];
	let go: () => void = () => undefined;
	const held = new Promise<void>((resolve) => {
		go = resolve;
	});
	const fold = {
		async foldRanges(jobs: readonly RangeJob[]): Promise<FoldedRange[]> {
			written.push([...jobs]);
			await held;
			return jobs.map(() => ({ kind: 'committed' }) as unknown as FoldedRange);
		},
		storeViews: async () => undefined,
	};
	const writer = createRangeWriter(
		fold,
		createLog(() => undefined),
	);
	const line = (text: string | null, from: number, events = 1) =>
		new Promise<FinishedRange>((finish) => {
			const bytes = text === null ? null : Buffer.from(text);
			const job = { key: 1, from, to: from + 2, bytes, tailDigest: `at ${from + 2}`, birth: '' };
			writer.enqueue({ edge: 1, events, finish, job });
		});
	const heard = [line('a\n', 0), line('b\n', 2), line('c\n', 4), line('d\n', 6, 499), line(null, 8), line('e\n', 10)];
	go();
	const kinds = (await Promise.all(heard)).map((done) => (done === 'within' ? done : done.kind));
	expect(kinds).toEqual(['committed', 'within', 'committed', 'committed', 'committed', 'committed']);
	expect(
		written.flat().map(({ from, to, bytes, tailDigest }) => [from, to, bytes && String(bytes), tailDigest]),
	).toEqual([
		[0, 2, 'a\n', 'at 2'],
		[2, 6, 'b\nc\n', 'at 6'],
		[6, 8, 'd\n', 'at 8'],
		[8, 10, null, 'at 10'],
		[10, 12, 'e\n', 'at 12'],
	]);
	expect(writer.bytes()).toBe(0);
});
