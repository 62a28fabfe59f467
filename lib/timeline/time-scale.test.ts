import fc from 'fast-check';
import { expect, test } from 'vitest';
import { busySpans, GAP_PX, timeScale } from './time-scale.ts';

const spans = fc.array(
	fc.record({ from: fc.integer({ min: 0, max: 1e8 }), length: fc.integer({ min: 0, max: 1e6 }) }),
	{ minLength: 1, maxLength: 30 },
);
const busyOf = (drawn: { from: number; length: number }[]) =>
	busySpans(
		drawn.map(({ from, length }) => ({ from, to: from + length })),
		60_000,
	);

test('what lies close together is one busy stretch', () => {
	const given = [
		{ from: 500, to: 600 },
		{ from: 0, to: 100 },
		{ from: 150, to: 160 },
		{ from: Number.NaN, to: 5 },
	];
	expect(busySpans(given, 100)).toEqual([
		{ from: 0, to: 160 },
		{ from: 500, to: 600 },
	]);
});

test('the axis fills its width, each idle gap takes 48 px, and time never runs backwards', () => {
	fc.assert(
		fc.property(spans, fc.integer({ min: 300, max: 2000 }), (drawn, width) => {
			const busy = busyOf(drawn);
			const scale = timeScale(busy, width);
			expect(scale.segments.filter(({ idle }) => idle).every((gap) => gap.width === GAP_PX)).toBe(true);
			expect(scale.segments).toHaveLength(2 * busy.length - 1);
			expect(scale.width).toBeGreaterThanOrEqual(width - 1e-6);
			const times = busy.flatMap(({ from, to }) => [from, to]);
			const places = times.map(scale.toX);
			expect(places.every((x, index) => index === 0 || x >= (places[index - 1] ?? 0) - 1e-9)).toBe(true);
		}),
	);
});

test('a position on the axis and its time convert into each other', () => {
	const busy = busySpans([
		{ from: 0, to: 600_000 },
		{ from: 4_000_000, to: 4_600_000 },
	]);
	const scale = timeScale(busy, 1000);
	for (const ms of [0, 1, 300_000, 600_000, 2_000_000, 4_000_000, 4_600_000]) {
		expect(scale.toTime(scale.toX(ms))).toBeCloseTo(ms, 3);
	}
	expect([scale.toX(-5), scale.toX(9e9), scale.toTime(-5), scale.toTime(5000)]).toEqual([0, 1000, 0, 4_600_000]);
	expect([timeScale([], 500).toX(7), timeScale([], 500).toTime(7)]).toEqual([0, 0]);
});
