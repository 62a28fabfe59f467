/** Runs `flush` at once when it was quiet, then at most once every `windowMs` milliseconds while pokes come in. */
export function createThrottle(windowMs: number, flush: () => void): { poke(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	let poked = false;
	const run = () => {
		poked = false;
		timer = setTimeout(() => {
			timer = undefined;
			if (poked) run();
		}, windowMs);
		timer.unref();
		flush();
	};
	return {
		poke() {
			if (timer) poked = true;
			else run();
		},
		stop: () => clearTimeout(timer),
	};
}
