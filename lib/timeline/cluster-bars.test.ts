import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import { clusterBars, type LaneBar, MIN_PX } from './lanes.ts';

const bar = (row: string, from: number, to: number, change: Partial<LaneBar> = {}): LaneBar => ({
	...{ row, from, to, kind: 'call', tone: 'ok', call: {} as CallView, isOpen: false, depth: 0 },
	...change,
});

test('calls too short to be distinguished are one bar with the worst of their results; a chosen one is drawn alone', () => {
	const bars = [bar('a', 0, 1), bar('b', 2, 3, { tone: 'err' }), bar('c', 4, 5), bar('d', 50, 90)];
	const drawn = clusterBars(bars, (ms) => ms, 100);
	expect(drawn.map(({ bars: of, tone, left, width }) => [of.map(({ row }) => row).join(), tone, left, width])).toEqual([
		['a,b,c', 'err', 0, 12],
		['d', 'ok', 50, 40],
	]);
	expect(clusterBars(bars, (ms) => ms, 100, 'b').map(({ bars: of }) => of.length)).toEqual([1, 1, 1, 1]);
});

test('however many calls a lane has, what is drawn is bounded by its width, and no call is left out', () => {
	const calls = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 40 })), {
		minLength: 1,
		maxLength: 2000,
	});
	fc.assert(
		fc.property(calls, (spans) => {
			const bars = spans.sort(([a], [b]) => a - b).map(([from, length], index) => bar(`${index}`, from, from + length));
			const drawn = clusterBars(bars, (ms) => ms / 2000, 500);
			expect(drawn.flatMap(({ bars: of }) => of)).toHaveLength(bars.length);
			expect(drawn.length).toBeLessThanOrEqual(500 / MIN_PX + 1);
		}),
		{ numRuns: 30 },
	);
});
