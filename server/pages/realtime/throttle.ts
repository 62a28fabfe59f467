/** As long as there are at most `requests` calls in `spanMs` milliseconds, each is flushed at once. */
export interface Calm {
	requests: number;
	spanMs: number;
}

/** Flushes at once if it was quiet or the calls are `calm`; else at most once every `windowMs` milliseconds. */
export function createThrottle(windowMs: number, flush: () => void, calm?: Calm): { request(): void; stop(): void } {
	let timer: NodeJS.Timeout | undefined;
	let waiting = false;
	const last: number[] = [];
	const isCalm = ({ requests, spanMs }: Calm) => {
		const now = performance.now();
		last.push(now);
		return last.length <= requests || now - (last.shift() ?? now) > spanMs;
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
		request() {
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
