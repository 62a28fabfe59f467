import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import { searchTerms } from '#lib/search/said-text.ts';
import { emptyView } from '#lib/session/fold.ts';
import type { IndexStore } from '../timeline/store/index-store.ts';
import type { SessionReads } from '../timeline/store/session-reads.ts';
import { sampleBatch } from './index-store.contract.ts';

/** A store in which sessions are given prompts, with ids `<session>-1` and on, and in which these are found. */
export interface SearchedStore {
	say(sessionId: string, texts: readonly string[]): Promise<void>;
	find: SessionReads['find'];
	/** Closes it, and opens it again. */
	reopen(): Promise<SearchedStore>;
	/** The session's file is gone or was replaced. */
	forget(sessionId: string): Promise<void>;
	close(): Promise<void>;
}

/** What every store promises of searching, a machine's index and a hub's database alike. */
export function describeSearch(name: string, open: () => Promise<SearchedStore>) {
	async function found(store: SearchedStore, typed: string): Promise<string[]> {
		const ids: string[] = [];
		await store.find(searchTerms(typed), undefined, ({ event }) => ids.push(event.id) === 0);
		return ids;
	}

	describe(`searching the texts of sessions: ${name}`, () => {
		test('R1403 finds a text by any part of it, the newest first, and continues where it stopped', async () => {
			const store = await open();
			await store.say('s1', [
				'Build the CART',
				'part-of-a-word',
				'运行测试并修复',
				'cart "quoted"',
				'zz',
				'Größe\tof\nCAFÉ',
			]);
			await store.say('s2', ['the cart again', 'tail']);
			const check = async (from: SearchedStore) => {
				expect(await found(from, 'cart')).toEqual(['s2-1', 's1-4', 's1-1']);
				expect(await found(from, 'cart build')).toEqual(['s1-1']);
				expect(await found(from, '"the cart"')).toEqual(['s2-1', 's1-1']);
				expect(await found(from, 'rt-of-a-w')).toEqual(['s1-2']);
				expect(await found(from, '运行测试')).toEqual(['s1-3']);
				expect(await found(from, '修复')).toEqual(['s1-3']);
				expect(await found(from, '测')).toEqual(['s1-3']);
				expect(await found(from, 'zz')).toEqual(['s1-5']);
				expect(await found(from, '"größe of café"')).toEqual(['s1-6']);
				expect(await found(from, 'nowhere')).toEqual([]);
			};
			await check(store);
			const seen: string[] = [];
			for (let from: number | null | undefined; from !== null; )
				from = await store.find(['cart'], from, ({ event }) => seen.push(event.id) > 0);
			expect(seen).toEqual(['s2-1', 's1-4', 's1-1']);
			const again = await store.reopen();
			await check(again);
			await again.forget('s1');
			expect(await found(again, 'cart')).toEqual(['s2-1']);
			expect(await found(again, '运行测试')).toEqual([]);
			await again.close();
		});

		test('R1403 short words are found far behind the newest events, however many hold what they begin', async () => {
			const store = await open();
			await store.say('s1', ['qx', ...Array.from({ length: 2000 }, (_, n) => `line ${n}`)]);
			expect(await found(store, 'qx')).toEqual(['s1-1']);
			expect(await found(store, 'x')).toEqual(['s1-1']);
			expect(await found(store, 'q x')).toEqual(['s1-1']);
			await store.close();
		});

		test('no text is an error, or finds what does not hold it', async () => {
			const store = await open();
			await store.say('s1', ['a "b" OR c', 'NEAR(x y)', 'col: *', "it's \\ 50%_"]);
			const holding: Record<string, string[]> = {
				...{
					'"': [],
					'a OR': ['s1-1'],
					'NEAR(': ['s1-2'],
					'NEAR(x y': ['s1-2'],
					'col:': ['s1-3'],
					'*': ['s1-3'],
				},
				...{ '^': [], '(': ['s1-2'], "it's": ['s1-4'], '50%_': ['s1-4'], '-': [], '\\': ['s1-4'], 'ab\u0000"': [] },
				...{ '%': ['s1-4'], _: ['s1-4'], '5_': [], "'; DROP TABLE events": [], 'NEAR(x y)': ['s1-2'] },
			};
			for (const [typed, ids] of Object.entries(holding))
				expect([typed, await found(store, typed)]).toEqual([typed, ids]);
			await store.close();
		});
	});
}

/** What every index store promises of the ledger, as `describeIndexStore` does of the rest. */
export function describeIndexLedger(
	name: string,
	open: () => Promise<{ store: IndexStore; reopen: () => Promise<IndexStore> }>,
) {
	describe(`the ledger of an index: ${name}`, () => {
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
