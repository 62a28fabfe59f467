import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { BoundedOutput } from './bounded-output.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	failed,
	type OutputSink,
	type RunOptions,
	SHELL_EXIT,
} from './command-result.ts';
import { inTime, killGroup, liveGroups } from './process-group.ts';

/** How the lasting shell is started, and on which port its errors arrive; or why it is not. */
export type ShellStart = StartedShell | { refused: string };

interface StartedShell {
	program: string;
	args: readonly string[];
	/** 2, or 4 where a sandbox's own errors come on 2. */
	errors: 2 | 4;
	/** Put before the errors of the first command. */
	warning?: string;
}

interface Shell {
	child: ChildProcess;
	stdout: Readable;
	stderr: Readable;
	control: Readable;
	exited: Promise<number>;
	warning: string;
}

const PLAIN: ShellStart = { program: '/bin/bash', args: ['--norc', '--noprofile'], errors: 2 };
const INTERRUPTED = 'Command execution interrupted.\n';
const DEFAULT_TIMEOUT_MS = 30_000;
/** How long the rest of the output may take after the command is known to have ended. */
const REST_MS = 1000;

/**
 * A lasting bash: folder, variables and functions remain between commands, which run one at a time. One that is cancelled, or
 * exceeds SYNAPSE_COMMAND_TIMEOUT (30,000 ms), ends the shell; the next one starts it again. A command's end comes on a port that
 * it does not have, and is marked in its output by a random number.
 */
export class BashSession implements CommandHandler {
	readonly #cwd: string;
	readonly #env: ShellEnv;
	readonly #start: () => Promise<ShellStart>;
	#shell: Promise<Shell> | undefined;
	#queue: Promise<unknown> = Promise.resolve();

	constructor(options: { cwd: string; env: ShellEnv; start?: () => Promise<ShellStart> }) {
		this.#cwd = options.cwd;
		this.#env = options.env;
		this.#start = options.start ?? (async () => PLAIN);
	}

	execute(command: string, options: RunOptions = {}): CancelablePromise<CommandResult> {
		return cancelable((signal) => {
			const result = this.#queue.then(() => this.#run(command, options, signal));
			this.#queue = result.catch(() => {});
			return result;
		});
	}

	/** Ends the shell; the next command starts it again. */
	async restart(): Promise<void> {
		const shell = this.#shell;
		this.#shell = undefined;
		await shell?.then(endShell, () => {});
	}

	/** Ends the shell and everything that it started. */
	close(): Promise<void> {
		return this.restart();
	}

	async #open(): Promise<Shell | { refused: string }> {
		if (this.#shell !== undefined) return this.#shell;
		const start = await this.#start();
		if ('refused' in start) return start;
		this.#shell = openShell(start, this.#cwd, this.#env);
		return this.#shell;
	}

	async #run(command: string, options: RunOptions, signal: AbortSignal): Promise<CommandResult> {
		if (command.includes('\0')) return failed('A command holds no NUL character.');
		if (signal.aborted) return failed(INTERRUPTED, SHELL_EXIT.cancelled);
		const shell = await this.#open();
		if ('refused' in shell) return failed(shell.refused, SHELL_EXIT.notRun);
		const warning = shell.warning;
		shell.warning = '';
		if (warning !== '') await options.onOutput?.(Buffer.from(warning), 'stderr');
		const timeoutMs = limitOf(this.#env, 'SYNAPSE_COMMAND_TIMEOUT', DEFAULT_TIMEOUT_MS);
		const mark = randomBytes(16).toString('hex');
		const outputs = readOutputs(shell, mark, options.onOutput);
		const ended = readStatus(shell.control, mark);
		shell.child.stdin?.write(scriptOf(command, mark));
		const limit = startLimit(signal, timeoutMs);
		const end = await Promise.race([
			ended.then((exitCode) => ({ why: 'ended' as const, exitCode })),
			shell.exited.then((exitCode) => ({ why: 'exited' as const, exitCode })),
			limit.reached,
		]).finally(limit.stop);
		const whole = end.why === 'ended' && (await inTime(outputs.marked, REST_MS));
		if (!whole) await this.restart();
		const output = outputs.stop();
		const text = { stdout: output.stdout, stderr: warning + output.stderr };
		const streamed = options.onOutput && { streamed: true as const };
		switch (end.why) {
			case 'ended':
			case 'exited':
				return { ...text, exitCode: end.exitCode, ...streamed };
			case 'cancelled':
				return withMessage({ ...text, ...streamed }, INTERRUPTED, SHELL_EXIT.cancelled, options);
			case 'timed-out': {
				const message = `Command timed out after ${timeoutMs} ms; the shell was restarted.\n`;
				return withMessage({ ...text, ...streamed }, message, SHELL_EXIT.timedOut, options);
			}
		}
	}
}

/** The command as one word for `eval`, so that an open quote in it does not swallow our own words. */
function scriptOf(command: string, mark: string): string {
	const quoted = `'${command.replaceAll("'", `'\\''`)}'`;
	return `eval ${quoted} </dev/null 5>&-\nprintf '${mark} %s\\n' "$?" >&5; printf '${mark}'; printf '${mark}' >&2\n`;
}

function openShell({ program, args, errors, warning = '' }: StartedShell, cwd: string, env: ShellEnv): Promise<Shell> {
	const child: ChildProcess = spawn(program, args, {
		cwd,
		env: env as NodeJS.ProcessEnv,
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
	});
	liveGroups.add(child);
	child.once('exit', () => liveGroups.delete(child));
	child.stdin?.on('error', () => {});
	// A stream without a listener must still be read, or its writer blocks.
	for (const port of [2, 3, 4] as const) if (port !== errors) (child.stdio[port] as Readable | null)?.resume();
	const exited = new Promise<number>((resolve) => {
		child.once('exit', (code) => resolve(code ?? SHELL_EXIT.failed));
	});
	const ports = child.stdio as readonly unknown[] as readonly Readable[];
	const shell = { child, stdout: ports[1], stderr: ports[errors], control: ports[5], exited, warning } as Shell;
	return new Promise((resolve, reject) => {
		child.once('spawn', () => resolve(shell));
		child.once('error', () => reject(new Error(`${program} cannot be started`)));
	});
}

async function endShell({ child, exited }: Shell): Promise<void> {
	killGroup(child, 'SIGKILL');
	await exited;
	for (const stream of child.stdio) stream?.destroy();
}

function readOutputs(shell: Shell, mark: string, onOutput: OutputSink | undefined) {
	const stdout = new MarkedOutput(shell.stdout, mark, onOutput && ((chunk) => onOutput(chunk, 'stdout')));
	const stderr = new MarkedOutput(shell.stderr, mark, onOutput && ((chunk) => onOutput(chunk, 'stderr')));
	return {
		marked: Promise.all([stdout.marked, stderr.marked]),
		stop: () => ({ stdout: stdout.stop(), stderr: stderr.stop() }),
	};
}

/** The exit code after the mark on the control port. */
function readStatus(control: Readable, mark: string): Promise<number> {
	return new Promise((resolve) => {
		let text = '';
		const listen = (chunk: Buffer): void => {
			text = (text + chunk.toString('latin1')).slice(-200);
			const code = new RegExp(`${mark} (\\d+)\\n`).exec(text)?.[1];
			if (code === undefined) return;
			control.off('data', listen);
			resolve(Number(code));
		};
		control.on('data', listen);
	});
}

/** Ends a command from outside; `stop` is called once it has ended by itself. */
function startLimit(signal: AbortSignal, ms: number) {
	let stop = (): void => {};
	const reached = new Promise<{ why: 'cancelled' | 'timed-out' }>((resolve) => {
		const timer = setTimeout(() => resolve({ why: 'timed-out' }), ms);
		timer.unref();
		const cancel = () => resolve({ why: 'cancelled' });
		signal.addEventListener('abort', cancel);
		stop = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', cancel);
		};
	});
	return { reached, stop };
}

async function withMessage(
	text: Omit<CommandResult, 'exitCode'>,
	message: string,
	exitCode: number,
	{ onOutput }: RunOptions,
): Promise<CommandResult> {
	await onOutput?.(Buffer.from(message), 'stderr');
	return { ...text, stderr: text.stderr + message, exitCode };
}

/** Reads one command's output from a stream that many commands share: everything up to a mark. */
class MarkedOutput {
	/** Resolves when the mark has arrived. */
	readonly marked: Promise<void>;
	readonly #stream: Readable;
	readonly #mark: Buffer;
	readonly #sink: ((chunk: Buffer) => Promise<void> | void) | undefined;
	readonly #output = new BoundedOutput();
	readonly #listen = (chunk: Buffer): void => this.#addChunk(chunk);
	#pending: Buffer = Buffer.alloc(0);
	#resolve: () => void = () => {};

	constructor(stream: Readable, mark: string, sink: ((chunk: Buffer) => Promise<void> | void) | undefined) {
		this.#stream = stream;
		this.#mark = Buffer.from(mark);
		this.#sink = sink;
		this.marked = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		stream.on('data', this.#listen);
		// The previous command may have left it paused.
		stream.resume();
	}

	/** Stops reading and returns the output so far. */
	stop(): string {
		this.#stream.off('data', this.#listen);
		this.#emit(this.#pending);
		this.#pending = Buffer.alloc(0);
		return this.#output.text();
	}

	#addChunk(chunk: Buffer): void {
		const whole = Buffer.concat([this.#pending, chunk]);
		const at = whole.indexOf(this.#mark);
		if (at !== -1) {
			this.#stream.off('data', this.#listen);
			this.#stream.pause();
			this.#pending = Buffer.alloc(0);
			this.#emit(whole.subarray(0, at));
			this.#resolve();
			return;
		}
		// The last bytes may be the beginning of the mark.
		const sure = Math.max(0, whole.length - this.#mark.length + 1);
		this.#pending = Buffer.from(whole.subarray(sure));
		this.#emit(whole.subarray(0, sure));
	}

	#emit(bytes: Buffer): void {
		if (bytes.length === 0) return;
		this.#output.add(bytes);
		const taken = this.#sink?.(bytes);
		if (!(taken instanceof Promise)) return;
		this.#stream.pause();
		const go = (): unknown => this.#stream.listenerCount('data') > 0 && this.#stream.resume();
		void taken.then(go, go);
	}
}
