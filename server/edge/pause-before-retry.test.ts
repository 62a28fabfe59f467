import { expect, test } from 'vitest';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { retryAfterText } from '#lib/hub/frame.ts';
import { pauseBeforeRetry } from './pusher.ts';

const backoff = { leastMs: 1000, mostMs: 60_000 };

test('a refused edge retries at a random moment within the whole time that it was given, a minute at most', () => {
	const bounds = (code: number, words: string, tries = 0) =>
		[0, 0.5, 1].map((drawn) => pauseBeforeRetry({ code, words, tries }, backoff, () => drawn));
	expect(bounds(CLOSE.later, retryAfterText(31))).toEqual([1000, 16_000, 31_000]);
	expect(bounds(CLOSE.later, retryAfterText(31), 9)).toEqual([1000, 16_000, 31_000]);
	expect(bounds(CLOSE.later, 'retry after 9999 s')).toEqual([1000, 30_500, 60_000]);
	expect(bounds(CLOSE.later, 'retry after 0 s')).toEqual([1000, 1000, 1000]);
	expect(bounds(CLOSE.later, 'the hub ends')).toEqual([0, 1000, 2000]);
	expect(bounds(1006, retryAfterText(31), 3), 'words of the network tell nothing').toEqual([0, 4500, 9000]);
	expect(bounds(1006, '', 20)).toEqual([0, 30_500, 61_000]);
	expect(bounds(CLOSE.quarantined, '')).toEqual([0, 30_500, 61_000]);
});
