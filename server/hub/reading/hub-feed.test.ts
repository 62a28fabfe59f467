import { afterEach, expect, test, vi } from 'vitest';
import type { HubReach } from '#lib/hub/may.ts';
import { emptyView } from '#lib/session/fold.ts';
import type { FeedBatch } from '../../timeline/feed.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import { queryBy } from '../database/database.ts';
import { createLocalHints, createWriteHints } from '../hints/hints.ts';
import { createHubFeed } from './hub-feed.ts';

const EPOCH = crypto.randomUUID();
const open: { stop(): void }[] = [];
afterEach(() => {
	for (const feed of open.splice(0)) feed.stop();
});

/** A feed whose database has one session, at seq 7; `asked` are the names of each question about how far sessions are. */
function feedOf(scope: HubReach = { teams: 'all' }, inScope: readonly string[] = ['s1']) {
	const queries: unknown[] = [];
	const query = queryBy(async (text, values) => {
		if (text.includes('FROM edges')) return { rows: [{ id: 1, name: 'laptop', team: 'shop' }] };
		const line = {
			edge: 1,
			session_id: 's1',
			epoch: EPOCH,
			head: 7,
			seq: 7,
			machine: 'laptop',
			team: 'shop',
			json: '{"seq":7}',
		};
		if (text.includes('m.json')) return { rows: [line] };
		queries.push(values.at(-1));
		return { rows: inScope.map((session_id) => ({ ...line, session_id })) };
	});
	const hints = createLocalHints((error) => {
		throw error;
	});
	const listeners = new Set<(batch: TailBatch) => void>();
	const failures: unknown[] = [];
	let gaps = 0;
	const feed = createHubFeed({
		...{ query, hints, scope, now: Date.now, failed: (error) => void failures.push(error) },
		gap: () => void gaps++,
		store: { summaries: () => Promise.reject(new Error('not asked')) },
		onBatch(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	});
	open.push(feed);
	const batches: FeedBatch[] = [];
	feed.onBatch((batch) => batches.push(batch));
	const writeHints = createWriteHints(hints);
	/** A write of this replica, with its hint. */
	function write(sessionId: string, seq: number) {
		const batch: TailBatch = { sessionId, epoch: EPOCH, events: [], rows: [], view: { ...emptyView(sessionId), seq } };
		for (const listener of listeners) listener(batch);
		writeHints.noteWritten(batch, true);
	}
	return { feed, hints, told: batches, asked: queries, failures, write, gaps: () => gaps };
}

const headOf = (seq: number, name = '1/s1') => `${name} ${seq} ${EPOCH}`;

test('at a hint of a watched session its viewers learn its position before the database is read', async () => {
	const { feed, hints, told, asked } = feedOf();
	hints.send('s:1/s1', headOf(3));
	const unwatch = feed.watch('session:1/s1');
	hints.send('s:1/s1', headOf(5));
	hints.send('s:1/other', headOf(5, '1/other'));
	await vi.waitFor(() => expect(told).toMatchObject([{ sessionId: '1/s1', epoch: EPOCH, head: 5, events: [] }]));
	expect(asked).toEqual([]);
	unwatch();
	hints.send('s:1/s1', headOf(6));
	await Promise.resolve();
	expect(told).toHaveLength(1);
});

test('hints without a body lead to one query for all of them', async () => {
	const { feed, hints, told, asked } = feedOf();
	for (const name of ['1/s1', '1/s2']) feed.watch(`session:${name}`);
	for (let n = 0; n < 50; n += 1) {
		hints.send('s:1/s1');
		hints.send('s:1/s2', 'nonsense');
		hints.send('s:1/s2', headOf(9, '1/s1'));
	}
	await vi.waitFor(() => expect(told).toMatchObject([{ sessionId: '1/s1', head: 7 }]));
	expect(asked).toEqual([['s1', 's2']]);
});

test('a line of the list that another replica has written is looked for; of what this one has written nothing is', async () => {
	const { feed, hints, told, asked, write } = feedOf();
	feed.watch('sessions');
	feed.watch('session:1/s1');
	const ownHint = new Promise<unknown>((resolve) => hints.listen('list', resolve));
	write('1/s1', 6);
	await ownHint;
	expect(told).toHaveLength(1);
	hints.send('list', headOf(6));
	hints.send('list', headOf(7));
	await vi.waitFor(() => expect(told).toHaveLength(2));
	expect(told[1]?.summary?.(0)).toMatchObject({ sessionId: '1/s1', seq: 7, machine: { name: 'laptop' } });
	expect(asked).toEqual([['s1']]);
});

test('a replica’s writes are announced to a scope only once the database has said that the scope has the session', async () => {
	const { feed, told, asked, write } = feedOf({ teams: [1] });
	feed.watch('sessions');
	write('1/s2', 3);
	write('1/s1', 6);
	await vi.waitFor(() => expect(told).toMatchObject([{ sessionId: '1/s1' }]));
	write('1/s2', 4);
	write('1/s1', 8);
	await vi.waitFor(() =>
		expect(told.map(({ sessionId, head }) => [sessionId, head])).toEqual([
			['1/s1', 7],
			['1/s1', 8],
		]),
	);
	expect(asked[0]).toEqual(['s2', 's1']);
});

test('a change that the read each two seconds finds without a hint is counted as a gap, once', async () => {
	vi.useFakeTimers();
	try {
		const { feed, hints, told, gaps } = feedOf();
		feed.watch('session:1/s1');
		await vi.advanceTimersByTimeAsync(2000);
		expect([told.length, gaps()], 'how far it was when somebody came').toEqual([1, 0]);
		const late = feedOf();
		late.feed.watch('session:1/s1');
		late.hints.send('s:1/s1', headOf(5));
		await vi.advanceTimersByTimeAsync(4000);
		expect([late.told.map(({ head }) => head), late.gaps()]).toEqual([[5, 7, 7], 1]);
		hints.send('s:1/s1', headOf(8));
		await vi.advanceTimersByTimeAsync(2000);
		expect(gaps(), 'a hint was ahead of the database').toBe(0);
	} finally {
		vi.useRealTimers();
	}
});
