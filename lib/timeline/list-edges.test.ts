import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edgesOf, itemAt, itemsBetween, type KeyedList, lastEdge, shiftAt } from './list-edges.ts';

const heights = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
const edgesFrom = (list: readonly number[]) => edgesOf(list.length, (at) => list[at] ?? 0);
const listOf = (keys: readonly string[], height = 28): KeyedList => ({
	edges: edgesOf(keys.length, () => height),
	keyAt: (at) => keys[at],
});

describe('the edges of a list', () => {
	test('every item between two places is drawn, and at most a stride more', () => {
		const position = fc.integer({ min: -100, max: 2_500 });
		fc.assert(
			fc.property(
				heights,
				position,
				fc.nat({ max: 500 }),
				fc.integer({ min: 1, max: 9 }),
				(list, top, height, stride) => {
					const edges = edgesFrom(list);
					const { from, to } = itemsBetween(edges, { top, bottom: top + height }, stride);
					const seen = list.flatMap((_, index) =>
						(edges[index + 1] ?? 0) > top && (edges[index] ?? 0) <= top + height && top < lastEdge(edges)
							? [index]
							: [],
					);
					expect(seen.every((at) => at >= from && at < to)).toBe(true);
					expect(from % stride).toBe(0);
					expect([from >= 0, to <= list.length]).toEqual([true, true]);
					expect(itemAt(edges, top) - from).toBeLessThan(stride);
				},
			),
		);
	});

	test('an empty list has nothing to draw', () => {
		expect(
			itemsBetween(
				edgesOf(0, () => 28),
				{ top: 0, bottom: 900 },
				8,
			),
		).toEqual({ from: 0, to: 0 });
	});

	test('the place of a reader is kept when items come in above or leave, and nothing moves when they come below', () => {
		const before = listOf(['c', 'd', 'e']);
		expect(shiftAt(before, listOf(['a', 'b', 'c', 'd', 'e']), 30)).toBe(56);
		expect(shiftAt(before, listOf(['d', 'e']), 30)).toBe(-28);
		expect(shiftAt(before, listOf(['c', 'd', 'e', 'f']), 30)).toBe(0);
		// What stood there is gone: what followed it stays.
		expect(shiftAt(before, listOf(['b', 'c', 'e']), 30)).toBe(0);
		expect(shiftAt(before, listOf(['x', 'y']), 30)).toBe(0);
	});
});
