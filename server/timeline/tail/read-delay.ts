/**
 * How long reading waits while lines come more densely than so many a millisecond, the densest first: what a turn of the
 * tail and its transaction cost beside their lines is shared by more of them. Agents at work tell fewer than 500 a second.
 * By the clock, so that a busy machine, which does less a second, saves it too.
 */
const PAUSES = [
	{ perMs: 2, pauseMs: 100 },
	{ perMs: 0.5, pauseMs: 20 },
] as const;
/** So few lines say nothing about how densely they come. */
const FEW = 8;

/** How long the tail waits with the lines of this process before it reads them. */
export interface ReadDelay {
	/** So many lines were appended. */
	poked(lines: number): void;
	/** Called when the tail begins to read: from here on lines count for the next time. */
	turned(): void;
	/** In milliseconds; 0 is the same turn of the event loop. */
	pauseMs(): number;
}

/**
 * At once, as long as lines come as agents make them. Only after a turn that found dense lines does the next one wait; the
 * first that finds fewer ends that. `now` is a steady clock in milliseconds.
 */
export function createReadDelay(now: () => number): ReadDelay {
	let added = 0;
	let turnedAt = now();
	let pauseMs = 0;
	return {
		poked(lines) {
			added += lines;
		},
		turned() {
			const at = now();
			const dense = added > FEW ? PAUSES.find(({ perMs }) => added > (at - turnedAt) * perMs) : undefined;
			pauseMs = dense?.pauseMs ?? 0;
			added = 0;
			turnedAt = at;
		},
		pauseMs: () => pauseMs,
	};
}
