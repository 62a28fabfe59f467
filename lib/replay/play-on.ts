import type { Span } from '../timeline/time-scale.ts';

/** How many times as fast as it happened a recording may be played. */
export const SPEEDS = [1, 2, 4, 8, 16, 32, 64] as const;
export type Speed = (typeof SPEEDS)[number];

/** What it takes to play over an idle gap, ms of the reader's time at every speed: long enough to be seen. */
export const GAP_MS = 300;

/**
 * Where a recording stands (ms) that was played on from `instant` for `elapsed` ms of the reader's time. `busy` ascends
 * without overlaps; what is idle is skipped. Never beyond the end.
 */
export function playOn(busy: readonly Span[], instant: number, elapsed: number, speed: number): number {
	let at = instant;
	let left = elapsed;
	let before: number | undefined;
	for (const { from, to } of busy) {
		if (to > at) {
			if (at < from) {
				const start = before ?? from;
				const done = from > start ? Math.max(0, at - start) / (from - start) : 1;
				const rest = (1 - done) * GAP_MS;
				if (left < rest) return at + ((from - at) * left) / rest;
				left -= rest;
				at = from;
			}
			if (left * speed < to - at) return at + left * speed;
			left -= (to - at) / speed;
			at = to;
		}
		before = to;
	}
	return Math.max(at, before ?? at);
}
