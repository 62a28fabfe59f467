import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Hooks are frequent if the last one is no older than this. */
const COMING_MS = 250;
/** How long other work then pauses after each piece. */
const PAUSE_MS = 40;

/** Lets hooks use the thread first, before other work on it. */
export function createHookPause(steady: () => number) {
	let last = Number.NEGATIVE_INFINITY;
	return {
		saw() {
			last = steady();
		},
		/** Resolves when the next piece of such work, about a millisecond, may run. */
		next: () => (steady() - last < COMING_MS ? wait(PAUSE_MS) : nextTurn()),
	};
}

export type HookPause = ReturnType<typeof createHookPause>;
