import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOrDate, clockTime, dayAndTime, endTime, hourMinute, isSameDay } from './clock.ts';
import { msBetween, roughDuration, roundDuration, runningDuration, spanDuration } from './duration.ts';

test('a running time is written in at most two units, which no time of day has', () => {
	expect([-5, 0, 999, 7_000, 760_000, 3_723_000, 273_600_000].map((ms) => runningDuration(ms))).toEqual([
		...['0s', '0s', '0s', '7s', '12m 40s', '1h 2m', '3d 4h'],
	]);
});

test('finished things say how long they took', () => {
	expect([0, 1.6, 210, 4_000, 58_400, 131_000, Number.NaN, -1].map((ms) => spanDuration(ms))).toEqual([
		...['0ms', '2ms', '0.2s', '4.0s', '58s', '2m 11s', '0ms', '0ms'],
	]);
});

test('a duration is total and never negative', () => {
	fc.assert(fc.property(fc.double(), (ms) => !spanDuration(ms).startsWith('-')));
	expect(msBetween('2026-01-01T00:00:02Z', '2026-01-01T00:00:01Z')).toBe(0);
	expect(msBetween('no date', '2026-01-01T00:00:01Z')).toBeUndefined();
	expect(msBetween(undefined, '2026-01-01T00:00:01Z')).toBeUndefined();
});

test('instants are shown in the zone of the reader, and no date is a dash', () => {
	expect(clockTime('2026-01-01T23:30:05Z', 'Asia/Taipei')).toBe('07:30:05');
	expect(hourMinute('2026-01-01T23:30:05Z', 'UTC')).toBe('23:30');
	expect([clockTime('never'), hourMinute('')]).toEqual(['–', '–']);
	expect(isSameDay(0, 1)).toBe(true);
});

test('a gap is described in one rough word', () => {
	expect([-5, 40_000, 700_000, 77_950_000, 273_600_000].map((ms) => roughDuration(ms))).toEqual([
		...['0s', '40s', '11m', '21h', '3d'],
	]);
});

test('the time left is rounded to the nearest unit', () => {
	expect([8 * 3_600_000 - 1, 3_599_000, 30_000, 3 * 86_400_000 - 1].map((ms) => roundDuration(ms))).toEqual([
		...['8h', '1h', '30s', '3d'],
	]);
});

test('what is not of today is named by its day', () => {
	const now = new Date(2026, 5, 15, 12).getTime();
	const at = (...[year, month, day]: [number, number, number]) => new Date(year, month, day, 9, 5).toISOString();
	expect([at(2026, 5, 15), at(2026, 5, 14), at(2025, 10, 2), 'never'].map((each) => clockOrDate(each, now))).toEqual([
		...['09:05', '14 Jun', '2 Nov 2025', '–'],
	]);
	// R1025
	expect([at(2026, 5, 15), at(2026, 5, 16)].map((each) => endTime(each, now))).toEqual(['09:05', '16 Jun 09:05']);
});

test('an instant of any day names its day', () => {
	expect(dayAndTime('2026-01-01T23:30:05Z', 'Asia/Taipei')).toBe('2026-01-02 07:30:05');
	expect(dayAndTime('never')).toBe('–');
});
