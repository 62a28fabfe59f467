/**
 * Runs `work` every `everyMs` ms, one at a time, until the returned function is called. Errors go to `failed`. Keeps no process
 * alive.
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
