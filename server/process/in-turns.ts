import { setImmediate as turn } from 'node:timers/promises';

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
