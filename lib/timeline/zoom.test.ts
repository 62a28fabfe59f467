import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipSpans, panSpan, timeScale, zoomSpan } from './time-scale.ts';

const axis = timeScale(
	[
		{ from: 0, to: 600_000 },
		{ from: 9_000_000, to: 9_600_000 },
	],
	1000,
);

test('zooming keeps the instant under the pointer, panning keeps the width, and both end where the axis ends', () => {
	const view = { from: 100_000, to: 300_000 };
	const near = zoomSpan(view, 0.5, 0.5, axis);
	expect(near.from).toBeCloseTo(150_000, 3);
	expect(near.to).toBeCloseTo(250_000, 3);
	const next = panSpan(view, 0.5, axis);
	expect(next.from).toBeCloseTo(200_000, 3);
	expect(next.to).toBeCloseTo(400_000, 3);
	expect(panSpan(view, -9, axis).from).toBeCloseTo(0, 3);
	expect(zoomSpan(view, 99, 0.5, axis)).toEqual({ from: 0, to: 9_600_000 });
});

test('no way of zooming and panning leaves the axis or turns the view around', () => {
	const step = fc.oneof(
		fc.record({ by: fc.double({ min: -3, max: 3, noNaN: true }) }),
		fc.record({
			factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
			share: fc.double({ min: 0, max: 1, noNaN: true }),
		}),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
			let view = { from: 0, to: 9_600_000 };
			for (const each of steps) {
				view = 'by' in each ? panSpan(view, each.by, axis) : zoomSpan(view, each.factor, each.share, axis);
				expect(view.to).toBeGreaterThanOrEqual(view.from);
				expect(view.from).toBeGreaterThanOrEqual(0);
				expect(view.to).toBeLessThanOrEqual(9_600_000);
			}
		}),
	);
});

test('what is in view is cut at its edges', () => {
	const spans = [
		{ from: 0, to: 10 },
		{ from: 20, to: 30 },
		{ from: 40, to: 50 },
	];
	expect(clipSpans(spans, { from: 5, to: 30 })).toEqual([
		{ from: 5, to: 10 },
		{ from: 20, to: 30 },
	]);
});
