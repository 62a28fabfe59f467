import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { reviewFailed, withFeedback } from '#lib/supervisor/review-answers.ts';
import { readReview, readReviewerOutput, reviewPrompt } from '#lib/supervisor/reviewer.ts';
import type { SupervisorInput, SupervisorResult } from '#lib/supervisor/supervisor-input.ts';
import { printable } from '#lib/text/printable.ts';
import { readBounded } from '../disk/bounded-read.ts';
import type { SupervisorFolder } from './supervisor-folder.ts';

/** A verdict, and if the review failed, why. */
export interface Reviewed {
	result: SupervisorResult;
	error?: string;
	reviewer?: string;
}

/** What one review needs. */
export interface ReviewCall {
	input: SupervisorInput;
	place: SupervisorFolder;
	env: Readonly<Record<string, string | undefined>>;
	/** The folder by which the client finds this session: its project, else its working directory. */
	cwd: string;
	iteration: number;
	max: number;
	timeoutMs: number;
	signal: AbortSignal;
}

/** Variables of the client's own session: a second client must not join it. */
const NOT_INHERITED =
	/^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|MESSAGING_\w+))$/;

/** Has the session reviewed by the person's own client, forked from it. Any failure denies (seed 004). */
export async function review(call: ReviewCall): Promise<Reviewed> {
	const { input, place, env, iteration, max, timeoutMs, signal } = call;
	const failed = (error: string): Reviewed => ({ result: reviewFailed(input.event, error, iteration, max), error });
	const own = readBounded(join(place.configDir, 'SUPERVISOR.md'));
	const end = await runReviewer({
		command: env.CCC_CLAUDE || 'claude',
		args: ['-p', '--resume', input.sessionId, '--fork-session', '--output-format', 'json'],
		cwd: call.cwd,
		env: reviewerEnvironment(env, place.id),
		prompt: reviewPrompt(input, own.ok ? own.text : null),
		timeoutMs,
		signal,
	});
	if (!end.ok) return failed(end.reason);
	const printed = readReviewerOutput(end.stdout);
	if (!printed.ok) return failed(printed.reason);
	const where = printed.sessionId === undefined ? {} : { reviewer: printed.sessionId };
	const read = readReview(printed.text);
	return { ...where, ...(read.ok ? { result: withFeedback(read.result, input.event) } : failed(read.reason)) };
}

/** The agent's own environment, with the guard that keeps the reviewer from being reviewed. */
function reviewerEnvironment(env: ReviewCall['env'], id: string): NodeJS.ProcessEnv {
	const inherited = Object.entries(env).filter(([name]) => !NOT_INHERITED.test(name));
	const own = Object.fromEntries(inherited) as NodeJS.ProcessEnv;
	return { ...own, CCC_SUPERVISOR_HOOK: '1', CCC_SUPERVISOR_ID: id };
}

interface ReviewerRun {
	/** The program: a name to be found on PATH, or a path. */
	command: string;
	args: readonly string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Goes to stdin, which is then closed. */
	prompt: string;
	timeoutMs: number;
	signal: AbortSignal;
}

/** The reviewer's output, or why there is none. */
type ReviewerEnd = { ok: true; stdout: string } | { ok: false; reason: string };

const MAX_OUTPUT = 4 * 1024 * 1024;
const MAX_ERROR = 16 * 1024;
/** How long output is still read after the reviewer's end, in milliseconds. */
const LINGER_MS = 1000;
const NOT_STARTED = [126, 127];

/** The shell becomes the reviewer. However the hook ends, pipe 3 closes, and the process group is ended. */
const GUARDED =
	'{ trap "" TERM; read -r _ <&3; kill -TERM 0; sleep 2; kill -KILL 0; } </dev/null >/dev/null 2>&1 & exec "$@" 3<&-';

/** Runs the reviewer in a process group of its own, bounded in time and output. Never rejects. */
function runReviewer(run: ReviewerRun): Promise<ReviewerEnd> {
	return new Promise((resolve) => {
		const child = spawn('/bin/sh', ['-c', GUARDED, 'reviewer', run.command, ...run.args], {
			cwd: run.cwd,
			env: run.env,
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
		});
		const leash = child.stdio[3];
		const out = collect(child.stdout, MAX_OUTPUT);
		const err = collect(child.stderr, MAX_ERROR);
		const finish = (end: ReviewerEnd): void => {
			clearTimeout(timer);
			run.signal.removeEventListener('abort', aborted);
			leash?.destroy();
			for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
			child.unref();
			resolve(end);
		};
		const aborted = (): void => finish({ ok: false, reason: 'the review was ended' });
		const seconds = Math.round(run.timeoutMs / 1000);
		const timer = setTimeout(() => finish({ ok: false, reason: `no verdict within ${seconds} s` }), run.timeoutMs);
		run.signal.addEventListener('abort', aborted);
		child.on('error', (error) => finish({ ok: false, reason: `the reviewer cannot be started: ${error.message}` }));
		child.stdin.on('error', () => {});
		child.stdin.end(run.prompt);
		child.on('exit', (code, signal) => {
			const end = (): void => finish(reviewerEnd(run.command, code, signal, out, err));
			// A process that the reviewer left running may hold its output open.
			if (child.stdout.readableEnded) end();
			else {
				child.stdout.once('end', end);
				setTimeout(end, LINGER_MS).unref();
			}
		});
		if (run.signal.aborted) aborted();
	});
}

interface Collected {
	text: string;
	isWhole: boolean;
}

function collect(stream: Readable, max: number): Collected {
	const collected: Collected = { text: '', isWhole: true };
	stream.setEncoding('utf8').on('data', (part: string) => {
		collected.isWhole &&= collected.text.length + part.length <= max;
		if (collected.isWhole) collected.text += part;
	});
	return collected;
}

function reviewerEnd(
	command: string,
	code: number | null,
	signal: NodeJS.Signals | null,
	out: Collected,
	err: Collected,
): ReviewerEnd {
	if (!out.isWhole) return { ok: false, reason: 'the reviewer printed more than 4 MiB' };
	if (code === 0) return { ok: true, stdout: out.text };
	const lastLine = printable(err.text.trim().split('\n').at(-1) ?? '', 200);
	if (code !== null && NOT_STARTED.includes(code)) {
		return { ok: false, reason: `the reviewer ${printable(command)} cannot be started${lastLine && `: ${lastLine}`}` };
	}
	const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
	return { ok: false, reason: `the reviewer ended ${how}${lastLine && `: ${lastLine}`}` };
}
