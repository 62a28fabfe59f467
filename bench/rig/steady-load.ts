import http from 'node:http';
import { bashCall } from './bash-call.ts';
import { quantile } from './quantile.ts';

/** Posts hook inputs one after the other over one kept connection, with `more` of a hook's headers. */
export function createPoster(
	socketPath: string,
	more: Readonly<Record<string, string>> = {},
): { post(body: string): Promise<void>; close(): void } {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	const headers = { 'content-type': 'application/json', ...more };
	return {
		post: (body) =>
			new Promise((resolve, reject) => {
				const options = { socketPath, agent, path: '/hooks/claude-code', method: 'POST', headers };
				const request = http.request(options, (response) => response.resume().on('end', () => resolve()));
				request.on('error', reject).end(body);
			}),
		close: () => agent.destroy(),
	};
}

/** Calls `act` every `everyMs` ms, `count` times, against the clock, so that a late one delays no other. */
export async function paced(count: number, everyMs: number, act: (n: number) => Promise<void>): Promise<void> {
	const began = performance.now();
	const acts: Promise<void>[] = [];
	for (let n = 0; n < count; n += 1) {
		const wait = began + n * everyMs - performance.now();
		if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
		acts.push(act(n));
	}
	await Promise.all(acts);
}

const HOOKS = 500;
const HOOK_EVERY_MS = 10;
/** How long `hooksP99` takes on a machine that keeps up. */
export const HOOKS_MS = HOOKS * HOOK_EVERY_MS;

/** The 99th percentile of paced hooks, in ms; `round` makes their calls others than those before. */
export async function hooksP99({ socketPath }: { socketPath: string }, nth: number): Promise<number> {
	const poster = createPoster(socketPath);
	const took: number[] = [];
	await paced(HOOKS, HOOK_EVERY_MS, async (n) => {
		const began = performance.now();
		await poster.post(bashCall(`bench-hooks-${n % 5}`, `toolu_${nth}_${n}`));
		took.push(performance.now() - began);
	});
	poster.close();
	return quantile(took, 0.99);
}

/** Other sessions at work: `perSecond` hooks a second until the returned function is called. */
export function startBackground(socketPath: string, perSecond: number): () => void {
	const poster = createPoster(socketPath);
	let sent = 0;
	// Ten a tick of a timer would arrive in bursts that no agent makes.
	const timer = setInterval(() => {
		sent += 1;
		poster.post(bashCall(`background-${sent % 5}`, `toolu_${sent}`)).catch(() => undefined);
	}, 1000 / perSecond);
	return () => {
		clearInterval(timer);
		poster.close();
	};
}
