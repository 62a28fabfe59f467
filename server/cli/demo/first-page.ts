import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/**
 * Waits until somebody could watch: until `isOpen` says that a page is, a line is read from `keys`, or `mostMs` have
 * passed. Rejects when `signal` aborts. `keys` is left as it was found, so that it keeps no process alive.
 */
export async function firstPage(options: {
	isOpen: () => boolean;
	/** The terminal's input; absent where nobody types. */
	keys?: Pick<NodeJS.ReadStream, 'once' | 'off' | 'resume' | 'pause'>;
	mostMs: number;
	signal: AbortSignal;
}): Promise<void> {
	const { isOpen, keys, mostMs, signal } = options;
	let isAsked = false;
	const onKey = () => {
		isAsked = true;
	};
	const until = performance.now() + mostMs;
	keys?.once('data', onKey).resume();
	try {
		while (!isOpen() && !isAsked && performance.now() < until) await pause(LOOK_EVERY_MS, undefined, { signal });
	} finally {
		keys?.off('data', onKey).pause();
	}
}
