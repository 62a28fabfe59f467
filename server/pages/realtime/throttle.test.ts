import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WINDOW_MS = 25;
const calm = { requests: 4, spanMs: 28 };

/** Pokes every `everyMs` and gives how many flushes that made. */
function flushes(count: number, everyMs: number, when?: typeof calm): number {
	const flush = vi.fn();
	const throttle = createThrottle(WINDOW_MS, flush, when);
	for (let n = 0; n < count; n += 1) {
		throttle.request();
		vi.advanceTimersByTime(everyMs);
	}
	vi.advanceTimersByTime(WINDOW_MS);
	return flush.mock.calls.length;
}

test('R102 events that come calmly go out one by one', () => {
	expect(flushes(100, 10, calm)).toBe(100);
});

test('R102 dense events go out in batches of at most 25 ms', () => {
	expect(flushes(200, 1, calm)).toBeLessThan(20);
	expect(flushes(200, 1, calm)).toBeGreaterThanOrEqual(200 / WINDOW_MS);
});

test('R102 without a calm rate there is one flush a window', () => {
	expect(flushes(100, 10)).toBeLessThan(50);
});

test('R102 nothing that was poked is forgotten', () => {
	const flush = vi.fn();
	const throttle = createThrottle(WINDOW_MS, flush, calm);
	for (let n = 0; n < 10; n += 1) throttle.request();
	const before = flush.mock.calls.length;
	vi.advanceTimersByTime(WINDOW_MS);
	expect(flush).toHaveBeenCalledTimes(before + 1);
});
