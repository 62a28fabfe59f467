import { expect, test } from 'vitest';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { fitsFilter, sortFeatures } from '#lib/features/feature-list.ts';
import { featureAddress } from '../row/addresses.ts';

const feature = (name: string, change: Partial<FeatureRecord> = {}): FeatureRecord => ({
	...{ id: `0123456789ab-${name}`, project: 'shop', name, state: 'archived', sessions: [], makes: [] },
	...{ tasks: { done: 0, total: 0, next: [], more: 0 } },
	...change,
});
const outcome = (retries: number) => ({ durationMs: 1, retries, passAt1: null, denials: 0, overrides: 0 });

test('archived features are sorted by any column, those without a value last', () => {
	const all = [
		feature('a', { archivedAt: '2026-01-02', outcome: outcome(2) }),
		feature('b', { archivedAt: '2026-01-03' }),
		feature('c', { archivedAt: '2026-01-01', outcome: outcome(5) }),
	];
	const names = (...given: Parameters<typeof sortFeatures>) =>
		sortFeatures(...given)
			.map(({ name }) => name)
			.join('');
	expect([names(all, 'date', true), names(all, 'name', false)]).toEqual(['bac', 'abc']);
	expect([names(all, 'retries', true), names(all, 'retries', false)]).toEqual(['cab', 'acb']);
});

test('at a hub archived features of all machines are sorted by their machines, each with an address of its own', () => {
	const at = (name: string) => ({ machine: { name, team: 'shop' } });
	const all = [feature('a', at('m2')), feature('b', at('m1')), feature('c', at('m3'))];
	const names = (down: boolean) => sortFeatures(all, 'machine', down).map(({ name }) => name);
	expect([names(false), names(true)]).toEqual([
		['b', 'a', 'c'],
		['c', 'a', 'b'],
	]);
	const id = 'abcdefabcdef-2026-01-01_cart';
	expect([featureAddress(id), featureAddress(`12/${id}`)]).toEqual([`/features/${id}`, `/features/12/${id}`]);
	for (const odd of ['../x', '1/../x', `1/2/${id}`, `x/${id}`, `1/${id}?x`])
		expect(featureAddress(odd).slice('/features/'.length), odd).not.toMatch(/[/?]/);
});

test('filters narrow by project, workflow and part of the name', () => {
	const cart = feature('Cart', { workflow: 'standard' });
	const any = { project: null, workflow: null, name: null, make: null };
	expect(fitsFilter(cart, any)).toBe(true);
	expect(fitsFilter(cart, { ...any, name: 'car', workflow: 'standard' })).toBe(true);
	expect(
		[{ project: 'x' }, { workflow: 'debug' }, { name: 'z' }].map((f) => fitsFilter(cart, { ...any, ...f })),
	).toEqual([false, false, false]);
});

test('features are narrowed to those that a client works on', () => {
	const any = { project: null, workflow: null, name: null };
	const cart = feature('cart', { makes: ['claude-code', 'codex'] });
	const fits = ['codex', 'gemini', null].map((client) => fitsFilter(cart, { ...any, make: client }));
	expect(fits).toEqual([true, false, true]);
});
