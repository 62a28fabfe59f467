import type { Span } from '../timeline/time-scale.ts';

/** Playing speeds, as multiples of real time. */
export const SPEEDS = [1, 2, 4, 8, 16, 32, 64] as const;
export type Speed = (typeof SPEEDS)[number];

/** How long an idle gap is shown, in ms of the reader's time at every speed: long enough to be seen. */
export const GAP_MS = 300;

/**
 * The instant (ms) of a recording that was played from `instant` for `elapsed` ms of the reader's time. `busy` ascends without
 * overlaps; idle time is skipped. Never beyond the end.
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
