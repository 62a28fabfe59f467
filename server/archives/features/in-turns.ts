import { setImmediate as turn } from 'node:timers/promises';

const TURN_MS = 10;

/** Does the steps of a long piece of work, letting the event loop turn every 10 ms, or as often as is said. */
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
