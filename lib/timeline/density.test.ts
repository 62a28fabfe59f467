import fc from 'fast-check';
import { expect, test } from 'vitest';
import { busyBetween, samplePoints, seqAt } from './density.ts';
import { IDLE_MS } from './time-scale.ts';

test('a few events of a long session show where it was busy, with the ends of each idle stretch', () => {
	// Two busy hours with a night between them.
	const NIGHT = 9 * 3_600_000;
	const at = (seq: number) => seq * 36 + (seq > 60_000 ? NIGHT : 0);
	let reads = 0;
	const points = samplePoints(100_000, (seq) => {
		reads += 1;
		return at(seq);
	});
	expect(reads).toBeLessThan(600);
	expect(busyBetween(points)).toEqual([
		{ from: at(1), to: at(60_000) },
		{ from: at(60_001), to: at(100_000) },
	]);
	expect(Math.abs(seqAt(points, at(30_000)) - 30_000)).toBeLessThan(2);
	expect(seqAt(points, 0)).toBe(0);
	expect(seqAt(points, Number.MAX_SAFE_INTEGER)).toBe(100_000);
});

test('whatever the clocks of a timeline say, the points ascend, and few events are looked at', () => {
	const clocks = fc.array(fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.constant(Number.NaN)), { maxLength: 3000 });
	fc.assert(
		fc.property(clocks, (times) => {
			let reads = 0;
			const points = samplePoints(times.length, (seq) => {
				reads += 1;
				return times[seq - 1];
			});
			expect(reads).toBeLessThanOrEqual(1536);
			for (const [index, { seq, at }] of points.entries()) {
				const before = points[index - 1];
				if (before) expect(seq > before.seq && at >= before.at).toBe(true);
			}
			const busy = busyBetween(points);
			for (const [index, { from, to }] of busy.entries()) {
				expect(to).toBeGreaterThanOrEqual(from);
				const before = busy[index - 1];
				if (before) expect(from - before.to).toBeGreaterThanOrEqual(IDLE_MS);
			}
		}),
	);
});
