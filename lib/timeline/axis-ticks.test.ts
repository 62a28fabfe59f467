import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisTicks, roundTimes } from './time-scale.ts';

const stretch = (from: number, to: number, width: number, x = 0) => ({ from, to, width, x, idle: false });

test('a short stretch is labelled in seconds, a long one in minutes or hours, each label with room', () => {
	const seconds = axisTicks(stretch(7_000, 31_000, 1200), 80);
	expect(seconds.inSeconds).toBe(true);
	expect(seconds.ticks.map(({ ms, x }) => [ms, Math.round(x)])).toEqual([
		[7_000, 0],
		[10_000, 150],
		[12_000, 250],
		[14_000, 350],
		...[16, 18, 20, 22, 24, 26, 28].map((second) => [second * 1000, (second - 7) * 50]),
	]);
	expect(axisTicks(stretch(0, 3_600_000, 800), 80)).toMatchObject({ inSeconds: false, ticks: { length: 6 } });
	expect(axisTicks(stretch(0, 60_000, 40), 80).ticks).toEqual([]);
	expect(axisTicks(stretch(5, 5, 100), 80).ticks).toEqual([{ ms: 5, x: 0 }]);
});

test('labels ascend, stay inside of their stretch and never touch', () => {
	const drawn = fc.record({
		from: fc.integer({ min: 0, max: 2e12 }),
		length: fc.integer({ min: 0, max: 1e9 }),
		width: fc.double({ min: 4, max: 60_000, noNaN: true }),
		x: fc.double({ min: 0, max: 1e5, noNaN: true }),
	});
	fc.assert(
		fc.property(drawn, ({ from, length, width, x }) => {
			const { ticks } = axisTicks(stretch(from, from + length, width, x), 80);
			for (const [index, tick] of ticks.entries()) {
				const before = ticks[index - 1];
				if (before) expect(tick.x - before.x).toBeGreaterThanOrEqual(80 - 1e-6);
				expect(tick.x + 80).toBeLessThanOrEqual(x + width + 1e-6);
			}
		}),
	);
});

test('times of an axis are round, few, and leave its ends free', () => {
	const day = { from: fc.integer({ min: 1e12, max: 2e12 }), length: fc.integer({ min: 60_000, max: 86_400_000 }) };
	fc.assert(
		fc.property(day.from, day.length, fc.integer({ min: 1, max: 8 }), (from, length, most) => {
			const times = roundTimes(from, from + length, most);
			expect(times.length).toBeLessThanOrEqual(most);
			for (const ms of times) {
				expect(ms).toBeGreaterThan(from);
				expect(ms).toBeLessThan(from + length);
				expect(new Date(ms).getMilliseconds()).toBe(0);
			}
		}),
	);
	const noon = new Date(2026, 10, 23, 12, 0, 23).getTime();
	const minutes = roundTimes(noon, noon + 3_600_000, 6).map((ms) => new Date(ms).getMinutes());
	expect(minutes).toEqual([10, 20, 30, 40, 50]);
});
