/** The shell's own exit codes; any other is the command's. */
export const SHELL_EXIT = { done: 0, failed: 1, timedOut: 124, notRun: 126, cancelled: 130 } as const;

export interface CommandResult {
	/** Bounded; what was left out is counted in it. */
	stdout: string;
	stderr: string;
	exitCode: number;
	/** For programs, beside the text, e.g. `{type: 'sandbox_blocked', resource}`. */
	extras?: Record<string, unknown>;
	/** The output was passed on while it came. */
	streamed?: true;
}

/** Receives output while it comes; awaited, so that a slow reader slows the command instead of filling memory. */
export type OutputSink = (chunk: Buffer, stream: 'stdout' | 'stderr') => Promise<void> | void;

export interface RunOptions {
	onOutput?: OutputSink;
}

/** Something that runs lines of the agent shell. */
export interface CommandHandler {
	execute(line: string, options?: RunOptions): CancelablePromise<CommandResult>;
}

export function done(stdout: string): CommandResult {
	return { stdout, stderr: '', exitCode: SHELL_EXIT.done };
}

export function failed(message: string, exitCode: number = SHELL_EXIT.failed): CommandResult {
	return { stdout: '', stderr: message.endsWith('\n') ? message : `${message}\n`, exitCode };
}

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
