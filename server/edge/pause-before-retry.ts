import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { readRetryAfter } from '#lib/hub/retry-after.ts';

/**
 * How long (ms) an edge waits before it connects again, after an end with this code and these words and so many tries in a
 * row: drawn anew each time, so that a thousand edges do not come at once.
 */
export function pauseBeforeRetry(
	{ code, words, tries }: { code: number; words: string; tries: number },
	{ leastMs, mostMs }: { leastMs: number; mostMs: number },
	draw: () => number = Math.random,
): number {
	const told = code === CLOSE.later ? readRetryAfter(words) : undefined;
	if (told !== undefined) return leastMs + draw() * Math.max(0, Math.min(mostMs, told * 1000) - leastMs);
	// Nothing changes before a person does something; where that is an upgrade of the hub, nobody does it here.
	const isLong = code === CLOSE.quarantined || code === CLOSE.upgrade;
	const most = isLong ? mostMs : Math.min(mostMs, leastMs * 2 ** tries);
	return leastMs * draw() + draw() * most;
}
