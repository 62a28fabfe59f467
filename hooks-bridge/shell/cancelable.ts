/** A promise of work that can be cancelled; its result then says so (seed 003). */
export type CancelablePromise<T> = Promise<T> & { cancel(): void };

/** Starts work that `cancel` ends. A second `cancel` does nothing. */
export function cancelable<T>(work: (signal: AbortSignal) => Promise<T>): CancelablePromise<T> {
	const controller = new AbortController();
	return Object.assign(work(controller.signal), { cancel: () => controller.abort() });
}

/** Waits for work; when the signal fires, the work is cancelled. */
export async function underSignal<T>(work: CancelablePromise<T>, signal: AbortSignal): Promise<T> {
	const stop = (): void => work.cancel();
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, { once: true });
	try {
		return await work;
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
