import { setImmediate as turn } from 'node:timers/promises';

const TURN_MS = 10;

/** Does the steps of a long piece of work, letting the event loop turn every 10 ms. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
	let until = performance.now() + TURN_MS;
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		if (performance.now() < until) continue;
		await turn();
		until = performance.now() + TURN_MS;
	}
}
