/**
 * Does `work` every `everyMs` milliseconds until the function that it gives is called, and never twice at a time: on a slow
 * disk the next turn waits. What a turn throws goes to `failed`, and the turns go on. Keeps no process alive.
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
