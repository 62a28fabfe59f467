import { setImmediate as turn } from 'node:timers/promises';
import type { Instant } from '#lib/approvals/ticket.ts';

/**
 * Runs `work` every `everyMs` milliseconds, never twice at a time, until the returned function is called. Errors go to `failed`,
 * and the repetition continues. Keeps no process alive.
 */
export function repeat(
	everyMs: number,
	work: () => Promise<void> | void,
	failed: (error: unknown) => void,
): () => void {
	let isWorking = false;
	const runOnce = async () => {
		if (isWorking) return;
		isWorking = true;
		try {
			await work();
		} catch (error) {
			failed(error);
		} finally {
			isWorking = false;
		}
	};
	const timer = setInterval(() => void runOnce(), everyMs).unref();
	return () => clearInterval(timer);
}

/** This moment on the machine's two clocks. */
export const systemClock = (): Instant => ({ wall: Date.now(), steady: performance.now() });

const TURN_MS = 10;

/** Runs the steps of a long piece of work, with a turn of the event loop every 10 ms, or as often as given. */
export async function inTurns<T>(steps: Generator<undefined, T>, turnMs = TURN_MS): Promise<T> {
	let until = performance.now() + turnMs;
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		if (performance.now() < until) continue;
		await turn();
		until = performance.now() + turnMs;
	}
}
