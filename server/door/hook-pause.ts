import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Hooks count as coming in while the last one is no older. */
const COMING_MS = 250;
/** Other work then pauses so long after each piece. */
const PAUSE_MS = 40;

/** Lets hooks have the thread that they share with work that can wait. */
export interface HookPause {
	saw(): void;
	/** Resolves when the next piece of such work, about a millisecond, may run. */
	next(): Promise<void>;
}

export function createHookPause(steady: () => number): HookPause {
	let last = Number.NEGATIVE_INFINITY;
	return {
		saw() {
			last = steady();
		},
		next: () => (steady() - last < COMING_MS ? wait(PAUSE_MS) : nextTurn()),
	};
}
