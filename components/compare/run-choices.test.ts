import { expect, test } from 'vitest';
import { sortDifferences } from '#lib/compare/sort-differences.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { likelyPairs } from '#lib/features/feature-list.ts';
import { runChoices } from './compare-page.tsx';

const archive = (name: string, day: number, more: Partial<FeatureRecord> = {}): FeatureRecord => ({
	id: `0123456789ab-2026-01-0${day}_${name}`,
	project: 'shop',
	makes: [],
	name,
	state: 'archived',
	tasks: { done: 1, total: 1, next: [], more: 0 },
	archivedAt: `2026-01-0${day}T12:00:00.000Z`,
	sessions: ['s'],
	...more,
});
const features = [
	...[archive('cart', 1), archive('search', 2), archive('cart', 3), archive('cart', 4), archive('login', 5)],
	...[archive('empty', 6, { sessions: [] }), archive('open', 7, { state: 'in-progress' })],
];

test('archives of the same feature are offered first, the newest of them before the others', () => {
	const values = (other: Parameters<typeof runChoices>[2]) =>
		runChoices(features, [], other).map(({ value }) => value.slice(13));
	expect(values(null)).toEqual([
		'2026-01-05_login',
		'2026-01-04_cart',
		'2026-01-03_cart',
		'2026-01-02_search',
		'2026-01-01_cart',
	]);
	const cartsFirst = ['2026-01-04_cart', '2026-01-03_cart', '2026-01-01_cart', '2026-01-05_login', '2026-01-02_search'];
	expect(values({ id: '0123456789ab-2026-01-01_cart' })).toEqual(cartsFirst);
	expect(values({ id: 'x', feature: 'cart' })).toEqual(cartsFirst);
});

test('of a feature with several archives the last two are a pair', () => {
	expect(likelyPairs(features).map((pair) => pair.map(({ id }) => id.slice(13)))).toEqual([
		['2026-01-03_cart', '2026-01-04_cart'],
	]);
});

test('by size the largest share is first, and among equals the larger number', () => {
	const row = (name: string, a: number, b: number, size: number) =>
		({ group: 'run', name, unit: 'count', a, b, size }) as const;
	const rows = [row('x', 4, 5, 0.2), row('y', 0, 1, 1), row('z', 9, 0, 1)];
	expect(sortDifferences(rows, 'size').map(({ name }) => name)).toEqual(['z', 'y', 'x']);
	expect(sortDifferences(rows, 'name').map(({ name }) => name)).toEqual(['x', 'y', 'z']);
	expect(sortDifferences(rows, 'group')).toEqual(rows);
});
