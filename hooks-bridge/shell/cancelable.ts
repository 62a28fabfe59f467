/** A promise of work that can be called off; its result then says so (seed 003). */
export type CancelablePromise<T> = Promise<T> & { cancel(): void };

/** Starts work that a signal ends when nobody needs it any more. A second `cancel` does nothing. */
export function cancelable<T>(work: (signal: AbortSignal) => Promise<T>): CancelablePromise<T> {
	const controller = new AbortController();
	return Object.assign(work(controller.signal), { cancel: () => controller.abort() });
}

/** Waits for work in the name of a signal: when it fires, the work is called off. */
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
