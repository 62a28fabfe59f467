import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { searchTerms } from '#lib/search/search-terms.ts';
import { emptyView } from '#lib/session/view.ts';
import type { IndexStore } from '../timeline/store/index-store.ts';
import { sampleBatch } from './index-store.contract.ts';

function sayAll(store: IndexStore, sessionId: string, texts: readonly string[]) {
	const batch = sampleBatch(store, emptyView(sessionId), texts.length);
	const events = batch.events.map(({ event: { id, ts, seq }, rowKey }, at) => {
		const fields = { type: 'prompt:submit', category: 'prompt', label: 'Prompt', source: 'user', prompt: texts[at] };
		return { event: { id, ts, seq, sessionId, ...fields } as IndexedEvent, rowKey };
	});
	store.write({ ...batch, events });
}

function found(store: IndexStore, typed: string): string[] {
	const ids: string[] = [];
	store.find(searchTerms(typed), undefined, ({ event }) => ids.push(event.id) === 0);
	return ids;
}

/** What every index store promises of searching and of the ledger, as `describeIndexStore` does of the rest. */
export function describeIndexFinds(
	name: string,
	open: () => Promise<{ store: IndexStore; reopen: () => Promise<IndexStore> }>,
) {
	describe(`finding in an index: ${name}`, () => {
		test('R1403 finds what was said by any part of it, the newest first, and goes on where it stopped', async () => {
			const { store, reopen } = await open();
			sayAll(store, 's1', ['Build the CART', 'part-of-a-word', '运行测试并修复', 'cart "quoted"', 'zz']);
			sayAll(store, 's2', ['the cart again', 'tail']);
			const check = (from: IndexStore) => {
				expect(found(from, 'cart')).toEqual(['s2-1', 's1-4', 's1-1']);
				expect(found(from, 'cart build')).toEqual(['s1-1']);
				expect(found(from, '"the cart"')).toEqual(['s2-1', 's1-1']);
				expect(found(from, 'rt-of-a-w')).toEqual(['s1-2']);
				expect(found(from, '运行测试')).toEqual(['s1-3']);
				expect(found(from, '修复')).toEqual(['s1-3']);
				expect(found(from, '测')).toEqual(['s1-3']);
				expect(found(from, 'zz')).toEqual(['s1-5']);
				expect(found(from, 'nowhere')).toEqual([]);
			};
			check(store);
			const seen: string[] = [];
			for (let from: number | null = Number.MAX_SAFE_INTEGER; from !== null; )
				from = store.find(['cart'], from, ({ event }) => seen.push(event.id) > 0);
			expect(seen).toEqual(['s2-1', 's1-4', 's1-1']);
			const again = await reopen();
			check(again);
			again.forget('s1');
			expect(found(again, 'cart')).toEqual(['s2-1']);
			expect(found(again, '运行测试')).toEqual([]);
			again.close();
		});

		test('R1403 short words are found far behind the newest events, however many hold what they begin', async () => {
			const { store } = await open();
			sayAll(store, 's1', ['qx', ...Array.from({ length: 2000 }, (_, n) => `line ${n}`)]);
			expect(found(store, 'qx')).toEqual(['s1-1']);
			expect(found(store, 'x')).toEqual(['s1-1']);
			expect(found(store, 'q x')).toEqual(['s1-1']);
			store.close();
		});

		test('no text is an error, or finds what does not hold it', async () => {
			const { store } = await open();
			sayAll(store, 's1', ['a "b" OR c', 'NEAR(x y)', 'col: *', "it's \\ 50%_"]);
			for (const typed of [
				'"',
				'a OR',
				'NEAR(',
				'NEAR(x y',
				'col:',
				'*',
				'^',
				'(',
				"it's",
				'50%_',
				'-',
				'\\',
				'ab\u0000"',
			])
				for (const id of found(store, typed))
					expect(store.events('s1', { after: 0, limit: 9 }).map((e) => e.id)).toContain(id);
			expect(found(store, 'NEAR(x y)')).toEqual(['s1-2']);
			expect(found(store, '50%_')).toEqual(['s1-4']);
			store.close();
		});

		test('R1410 gives lines of the ledger by time, each once, as they are now', async () => {
			const { store, reopen } = await open();
			const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
			const line = (sessionId: string, n: number): LedgerEntry => ({
				...{ sessionId, rowKey: `call:${n}`, seq: n, at: day(n), tool: 'Bash', title: 'ls', denials: [] },
				...{ state: 'unasked', outcome: 'never-ran', isDenied: true, isOverridden: false },
			});
			const write = (sessionId: string, ledger: LedgerEntry[]) =>
				store.write({ ...sampleBatch(store, store.view(sessionId) ?? emptyView(sessionId), 1), ledger });
			write('s1', [line('s1', 1), line('s1', 3), line('s1', 5)]);
			write('s2', [line('s2', 3), line('s2', 4)]);
			write('s1', [{ ...line('s1', 3), at: day(9), state: 'approved' }]);
			const again = await reopen();
			const all = again.ledger({ limit: 9 });
			expect(all.map(({ line: { sessionId, seq } }) => `${sessionId} ${seq}`)).toEqual([
				's1 3',
				's1 5',
				's2 4',
				's2 3',
				's1 1',
			]);
			expect(all[0]?.line.state).toBe('approved');
			expect(again.ledger({ limit: 2, before: all[1]?.place })).toEqual(all.slice(2, 4));
			expect(again.ledger({ limit: 9, since: day(3), until: day(5) })).toEqual(all.slice(2, 4));
			again.forget('s1');
			expect(again.ledger({ limit: 9 })).toHaveLength(2);
			again.close();
		});
	});
}
