import { describe, expect, test } from 'vitest';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView, fold, rowKeyOf } from '#lib/session/fold.ts';
import type { IndexBatch, IndexStore } from '../timeline/store/index-store.ts';

/** An event of a session, as the tail would index it. */
export function sampleEvent(sessionId: string, seq: number): IndexedEvent {
	const ts = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
	const envelope = { id: `${sessionId}-${seq}`, ts, sessionId, seq, category: 'tool', label: 'Tool called' };
	const call = { ...envelope, toolUseId: `call-${Math.ceil(seq / 2)}`, tool: 'Bash' };
	return seq % 2 === 1 ? { ...call, type: 'tool:call', input: { command: 'ls' } } : { ...call, type: 'tool:result' };
}

/** The batch that adds `count` events to a session which stands at `view`. */
export function sampleBatch(store: IndexStore, view: SessionView, count: number): IndexBatch {
	const rows = new Map<string, Row>();
	const { sessionId } = view;
	const events = Array.from({ length: count }, (_, n) => {
		const event = sampleEvent(sessionId, view.seq + n + 1);
		return { event, rowKey: rowKeyOf(view, event) };
	});
	let after = view;
	for (const { event } of events) {
		const step = fold(after, event, (key) => rows.get(key) ?? store.row(sessionId, key));
		for (const row of step.rows) rows.set(row.key, row);
		after = step.view;
	}
	const cursor = { sessionId, device: 1, inode: 2, offset: after.seq * 100, tailDigest: `digest-${after.seq}` };
	return { sessionId, cursor, events, rows: [...rows.values()], ledger: [], view: after };
}

/** What every index store promises; SQLite and Postgres run the same. `reopen` closes it and opens it again. */
export function describeIndexStore(
	name: string,
	open: () => Promise<{ store: IndexStore; reopen: () => Promise<IndexStore> }>,
) {
	describe(`index store: ${name}`, () => {
		test('gives back what a batch wrote, also after it was opened again', async () => {
			const { store, reopen } = await open();
			const batch = sampleBatch(store, emptyView('s1'), 5);
			store.write(batch);
			const check = (from: IndexStore) => {
				expect(from.cursors()).toEqual([batch.cursor]);
				expect(from.view('s1')).toEqual(batch.view);
				expect(from.views()).toEqual([batch.view]);
				expect(from.events('s1', { after: 0, limit: 100 })).toEqual(batch.events.map(({ event }) => event));
				expect([0, 1, 5, 6].map((seq) => from.timeOf('s1', seq))).toEqual([
					undefined,
					...[0, 4].map((at) => Date.parse(batch.events[at]?.event.ts ?? '')),
					undefined,
				]);
				expect(from.rows('s1', { limit: 100 })).toEqual(batch.rows);
				expect(from.row('s1', 'call:call-1')).toEqual(batch.rows[0]);
				expect(from.rowsOf('s1', ['call:call-1', 'none']).get('call:call-1')).toEqual(batch.rows[0]);
			};
			check(store);
			const { epoch } = store;
			const again = await reopen();
			check(again);
			expect(again.epoch).toBe(epoch);
			again.close();
		});

		test('R608 finds the newest denials of all sessions, and no event that only resembles one', async () => {
			const { store } = await open();
			const write = (sessionId: string, extra: readonly object[]) => {
				const batch = sampleBatch(store, emptyView(sessionId), extra.length);
				const events = batch.events.map(({ event, rowKey }, index) => ({
					event: { ...event, ...extra[index] } as IndexedEvent,
					rowKey,
				}));
				store.write({ ...batch, events });
			};
			const denial = { type: 'gate:verdict', gate: 'g', decision: 'deny' };
			write('s1', [denial, { ...denial, decision: 'pass' }, { note: JSON.stringify(denial) }]);
			write('s2', [{ input: denial }, denial]);
			expect(store.denials(10).map(({ id }) => id)).toEqual(['s2-2', 's1-1']);
			expect(store.denials(1).map(({ id }) => id)).toEqual(['s2-2']);
			store.close();
		});

		test('knows nothing of sessions and rows that are not there', async () => {
			const { store } = await open();
			expect(store.view('none')).toBeUndefined();
			expect(store.row('none', 'call:x')).toBeUndefined();
			expect(store.rowsOf('none', ['call:x'])).toEqual(new Map([['call:x', undefined]]));
			expect(store.rows('none', { limit: 10 })).toEqual([]);
			expect(store.events('none', { after: 0, limit: 10 })).toEqual([]);
			expect(store.knownIds('none', ['a'])).toEqual(new Set());
			store.close();
		});

		test('lists which event ids a session holds, and no other session', async () => {
			const { store } = await open();
			store.write(sampleBatch(store, emptyView('s1'), 3));
			expect(store.knownIds('s1', ['s1-1', 's1-3', 's1-4', '"', ''])).toEqual(new Set(['s1-1', 's1-3']));
			expect(store.knownIds('s2', ['s1-1'])).toEqual(new Set());
			store.close();
		});

		test('answers the same for many ids and rows as for each of them', async () => {
			const { store } = await open();
			const batch = sampleBatch(store, emptyView('s1'), 30);
			store.write(batch);
			const ids = [...batch.events.map(({ event }) => event.id), 'none'];
			expect(store.knownIds('s1', ids)).toEqual(new Set(ids.filter((id) => id !== 'none')));
			const keys = [...batch.rows.map(({ key }) => key), 'none'];
			expect(store.rowsOf('s1', keys)).toEqual(new Map(keys.map((key) => [key, store.row('s1', key)])));
			store.close();
		});

		test('gives rows by range: the newest, those before, those after', async () => {
			const { store } = await open();
			store.write(sampleBatch(store, emptyView('s1'), 20));
			const seqs = (range: Parameters<IndexStore['rows']>[1]) => store.rows('s1', range).map((row) => row.seq);
			expect(seqs({ limit: 3 })).toEqual([15, 17, 19]);
			expect(seqs({ before: 15, limit: 3 })).toEqual([9, 11, 13]);
			expect(seqs({ after: 3, limit: 3 })).toEqual([5, 7, 9]);
			expect(seqs({ after: 3, before: 9, limit: 9 })).toEqual([5, 7]);
			expect(seqs({ limit: 0 })).toEqual([]);
			store.close();
		});

		test('gives events after a seq, also of one row alone', async () => {
			const { store } = await open();
			const batch = sampleBatch(store, emptyView('s1'), 6);
			store.write(batch);
			const seqs = (range: Parameters<IndexStore['events']>[1]) => store.events('s1', range).map((event) => event.seq);
			expect(seqs({ after: 2, limit: 2 })).toEqual([3, 4]);
			expect(seqs({ after: 0, limit: 9, row: 'call:call-2' })).toEqual([3, 4]);
			store.close();
		});

		test('changes a row in place and moves the cursor without events', async () => {
			const { store } = await open();
			const first = sampleBatch(store, emptyView('s1'), 1);
			store.write(first);
			const second = sampleBatch(store, first.view, 1);
			store.write(second);
			expect(store.rows('s1', { limit: 9 })).toEqual(second.rows);
			const cursor = { ...second.cursor, offset: 9999 };
			store.write({ ...second, events: [], rows: [], cursor });
			expect(store.cursors()).toEqual([cursor]);
			store.close();
		});

		test('writes a batch whole or not at all', async () => {
			const { store } = await open();
			const batch = sampleBatch(store, emptyView('s1'), 3);
			store.write(batch);
			const next = sampleBatch(store, batch.view, 2);
			expect(() => store.write({ ...next, events: [...next.events, ...batch.events] })).toThrow();
			expect(store.events('s1', { after: 3, limit: 9 })).toEqual([]);
			expect(store.cursors()).toEqual([batch.cursor]);
			expect(store.view('s1')).toEqual(batch.view);
			store.close();
		});

		test('a view that nothing was added to is read once, however often all are asked for', async () => {
			const { store, reopen } = await open();
			store.write(sampleBatch(store, emptyView('s1'), 3));
			const first = sampleBatch(store, emptyView('s2'), 3);
			store.write(first);
			const again = await reopen();
			const of = (sessionId: string) => again.views().find((view) => view.sessionId === sessionId);
			const before = of('s1');
			expect(before).toBeDefined();
			const next = sampleBatch(again, first.view, 2);
			again.write(next);
			expect(of('s1')).toBe(before);
			expect(of('s2')).toEqual(next.view);
			again.write(sampleBatch(again, emptyView('s3'), 1));
			again.forget('s1');
			expect(again.views().map(({ sessionId }) => sessionId)).toEqual(['s2', 's3']);
			again.close();
		});

		test('forgets one session under a new epoch and keeps the others', async () => {
			const { store, reopen } = await open();
			store.write(sampleBatch(store, emptyView('s1'), 3));
			const kept = sampleBatch(store, emptyView('s2'), 3);
			store.write(kept);
			const { epoch } = store;
			store.forget('s1');
			expect(store.epoch).not.toBe(epoch);
			const drawn = store.epoch;
			const again = await reopen();
			expect(again.epoch).toBe(drawn);
			expect(again.view('s1')).toBeUndefined();
			expect(again.events('s1', { after: 0, limit: 9 })).toEqual([]);
			expect(again.rows('s1', { limit: 9 })).toEqual([]);
			expect(again.views()).toEqual([kept.view]);
			expect(again.cursors()).toEqual([kept.cursor]);
			again.close();
		});
	});
}
