/** As long as there are at most `pokes` calls in `spanMs` milliseconds, each is flushed at once. */
export interface Calm {
	pokes: number;
	spanMs: number;
}

/** Flushes at once if it was quiet or the calls are `calm`; else at most once every `windowMs` milliseconds. */
export function createThrottle(windowMs: number, flush: () => void, calm?: Calm): { poke(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	let waiting = false;
	const last: number[] = [];
	const isCalm = ({ pokes, spanMs }: Calm) => {
		const now = performance.now();
		last.push(now);
		return last.length <= pokes || now - (last.shift() ?? now) > spanMs;
	};
	const run = () => {
		waiting = false;
		timer = setTimeout(() => {
			timer = undefined;
			if (waiting) run();
		}, windowMs);
		timer.unref();
		flush();
	};
	return {
		poke() {
			const atOnce = calm !== undefined && isCalm(calm);
			if (timer && !atOnce) {
				waiting = true;
				return;
			}
			clearTimeout(timer);
			run();
		},
		stop: () => clearTimeout(timer),
	};
}
