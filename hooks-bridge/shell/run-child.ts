import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { BoundedOutput } from './bounded-output.ts';
import { type CommandResult, failed, type OutputSink, SHELL_EXIT } from './command-result.ts';
import { killGroup, liveGroups } from './process-group.ts';

export interface ChildRun {
	program: string;
	args: readonly string[];
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
	/** Written to its stdin, which is then closed. */
	input?: string;
	signal?: AbortSignal;
	/** Milliseconds; absent for no limit. */
	timeoutMs?: number;
	onOutput?: OutputSink;
	/** Uses ports beyond 2: its own stderr is dropped, the command inside writes its errors to 4, and 3 reports its status. */
	wrapped?: boolean;
}

export interface ChildEnd {
	stdout: string;
	stderr: string;
	/** For a killed program 128 plus the signal's number. */
	exitCode: number;
	why: 'ended' | 'cancelled' | 'timed-out' | 'not-started';
	/** Only for a wrapped run: what arrived on port 3. */
	status: string;
}

const TERM_GRACE_MS = 2000;
const PIPE_GRACE_MS = 500;
const MAX_STATUS = 64 * 1024;

/**
 * Runs a program in its own process group. Cancelling, time-outs and its own end close the whole group (SIGTERM, then SIGKILL),
 * so that nothing outlives the command. Never throws.
 */
export async function runChild(run: ChildRun): Promise<ChildEnd> {
	const child = await startChild(run);
	if (!child) return { stdout: '', stderr: '', exitCode: 127, why: 'not-started', status: '' };
	let why: ChildEnd['why'] = 'ended';
	const end = (because: 'cancelled' | 'timed-out'): void => {
		if (why !== 'ended') return;
		why = because;
		killGroup(child, 'SIGTERM');
		killLater = setTimeout(() => killGroup(child, 'SIGKILL'), TERM_GRACE_MS);
	};
	let killLater: NodeJS.Timeout | undefined;
	const timer = run.timeoutMs === undefined ? undefined : setTimeout(() => end('timed-out'), run.timeoutMs);
	const cancel = (): void => end('cancelled');
	if (run.signal?.aborted) cancel();
	run.signal?.addEventListener('abort', cancel, { once: true });
	const streams = [child.stdout, run.wrapped ? child.stdio[4] : child.stderr, child.stdio[3]] as const;
	const outputs = streams.map(() => new BoundedOutput()) as [BoundedOutput, BoundedOutput, BoundedOutput];
	const names = ['stdout', 'stderr'] as const;
	const drained = Promise.all(
		streams.map((stream, index) =>
			drain(stream as Readable | null | undefined, outputs[index], names[index], run.onOutput),
		),
	);
	const exitCode = await new Promise<number>((resolve) => {
		child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
	});
	clearTimeout(timer);
	clearTimeout(killLater);
	run.signal?.removeEventListener('abort', cancel);
	killGroup(child, 'SIGKILL');
	// A process that left the group may hold the pipes for ever.
	const release = setTimeout(() => destroyAll(streams), PIPE_GRACE_MS);
	await drained;
	clearTimeout(release);
	return {
		stdout: outputs[0].text(),
		stderr: outputs[1].text(),
		exitCode,
		why,
		status: outputs[2].text().slice(0, MAX_STATUS),
	};
}

/** Undefined if there is no such program or folder, or the system refuses it. */
async function startChild(run: ChildRun): Promise<ChildProcess | undefined> {
	try {
		const child = spawnIn(run);
		return await new Promise((resolve) => {
			child.once('spawn', () => resolve(child));
			child.once('error', () => resolve(undefined));
		});
	} catch {
		return undefined;
	}
}

function spawnIn({ program, args, cwd, env, input, wrapped }: ChildRun): ChildProcess {
	const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
	if (wrapped) stdio.push('pipe', 'pipe');
	// Next narrows the type of an environment; a child may get any.
	const child: ChildProcess = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv, detached: true, stdio });
	liveGroups.add(child);
	child.once('exit', () => liveGroups.delete(child));
	// A program may leave its input unread.
	child.stdin?.on('error', () => {});
	child.stdin?.end(input);
	return child;
}

async function drain(
	stream: Readable | null | undefined,
	output: BoundedOutput | undefined,
	name: 'stdout' | 'stderr' | undefined,
	onOutput: OutputSink | undefined,
): Promise<void> {
	if (!stream) return;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.from(chunk);
			output?.add(bytes);
			if (name) await onOutput?.(bytes, name);
		}
	} catch {
		// The stream was closed after its process had ended.
	}
}

function destroyAll(streams: readonly unknown[]): void {
	for (const stream of streams) (stream as Readable | null | undefined)?.destroy();
}

/** The result of a program's end; with a sink, what is added to its output is sent there too. */
export async function resultOf(end: ChildEnd, run: ChildRun): Promise<CommandResult> {
	const { stdout, stderr } = end;
	const streamed = run.onOutput && { streamed: true as const };
	const but = async (message: string, exitCode: number): Promise<CommandResult> => {
		await run.onOutput?.(Buffer.from(message), 'stderr');
		return { stdout, stderr: stderr + message, exitCode, ...streamed };
	};
	switch (end.why) {
		case 'ended':
			return { stdout, stderr, exitCode: end.exitCode, ...streamed };
		case 'cancelled':
			return but('Command execution interrupted.\n', SHELL_EXIT.cancelled);
		case 'timed-out':
			return but(`Command timed out after ${run.timeoutMs} ms.\n`, SHELL_EXIT.timedOut);
		case 'not-started':
			return failed(`Command execution failed: ${run.program} cannot be started in ${run.cwd}.`);
	}
}
