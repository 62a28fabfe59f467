import type { CancelablePromise } from './cancelable.ts';
/** The shell's own exit codes; everything else is the command's. */
export const SHELL_EXIT = { done: 0, failed: 1, timedOut: 124, notRun: 126, cancelled: 130 } as const;

/** What a command came to. */
export interface CommandResult {
	/** Bounded; what was left out is counted in it. */
	stdout: string;
	stderr: string;
	exitCode: number;
	/** What programs want to know beside the text, e.g. `{type: 'sandbox_blocked', resource}`. */
	extras?: Record<string, unknown>;
	/** The output was handed on while it came. */
	streamed?: true;
}

/** Where output goes while it comes; awaited, so that a slow reader slows the command instead of filling memory. */
export type OutputSink = (chunk: Buffer, stream: 'stdout' | 'stderr') => Promise<void> | void;

/** What may be said of one run beside its command line. */
export interface RunOptions {
	onOutput?: OutputSink;
}

/** Something that runs lines of the agent shell. */
export interface CommandHandler {
	execute(line: string, options?: RunOptions): CancelablePromise<CommandResult>;
}

/** A command that did its work. */
export function done(stdout: string, extras?: Record<string, unknown>): CommandResult {
	return { stdout, stderr: '', exitCode: SHELL_EXIT.done, ...(extras && { extras }) };
}

/** A command that could not do it, with what the agent should know. */
export function failed(message: string, exitCode: number = SHELL_EXIT.failed): CommandResult {
	return { stdout: '', stderr: message.endsWith('\n') ? message : `${message}\n`, exitCode };
}
