/**
 * Lines that come more densely than this (500 a second, more than agents at work tell) are read together: half of what a
 * turn of the tail costs is not theirs. By the clock, so that a busy machine, which does less a second, saves it too.
 */
const DENSE_PER_MS = 0.5;
/** So few lines say nothing about how densely they come. */
const FEW = 8;
const PAUSE_MS = 20;

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
 * At once, as long as lines come as agents make them. Only after a turn that found more than 500 a second does the
 * next one wait 20 ms; the first that finds fewer ends that. `now` is a steady clock in milliseconds.
 */
export function createReadDelay(now: () => number): ReadDelay {
	let added = 0;
	let turnedAt = now();
	let dense = false;
	return {
		poked(lines) {
			added += lines;
		},
		turned() {
			const at = now();
			dense = added > FEW && added > (at - turnedAt) * DENSE_PER_MS;
			added = 0;
			turnedAt = at;
		},
		pauseMs: () => (dense ? PAUSE_MS : 0),
	};
}
