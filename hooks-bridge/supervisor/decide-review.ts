import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { defined } from '#lib/json/json.ts';
import type { ReviewAnswer } from '#lib/supervisor/review-answers.ts';
import { resultOf, reviewDecision, reviewFailed, withFeedback } from '#lib/supervisor/review-answers.ts';
import { readReview, readReviewerOutput, reviewPrompt } from '#lib/supervisor/reviewer.ts';
import type { SupervisorInput } from '#lib/supervisor/supervisor-input.ts';
import { printable } from '#lib/text/printable.ts';
import { readBounded } from '../disk/bounded-read.ts';
import { identityOf, isAlive } from '../disk/process-identity.ts';
import type { ReviewDoor, ReviewTicket } from './review-door.ts';
import { type ReviewIteration, type ReviewOutcome, recordReview, recordVerdict } from './review-events.ts';
import type { SupervisorFolder } from './state-store.ts';

export interface ReviewStart {
	round: ReviewIteration;
	input: SupervisorInput;
	place: SupervisorFolder;
	env: Readonly<Record<string, string | undefined>>;
	/** The folder by which the client finds this session: its project, else its working directory. */
	cwd: string;
	timeoutSeconds: number;
	/** When the hook process began, in milliseconds since the epoch. */
	began: number;
	door: ReviewDoor;
	/** Whether a denial may wait for a person. */
	mayHold: boolean;
}

/** What the client gives a hook whose entry names no timeout. */
const CLIENT_TIMEOUT_SECONDS = 600;
/** If the client kills a hook, the call runs, so ours ends this much earlier. */
const MARGIN_MS = 10_000;
const MIN_REVIEW_MS = 1000;
const CLIENT_CHECK_MS = 1000;

/**
 * Reviews, while a person may end it: the first decision counts. A decision, or the end of the client, kills the reviewer. All
 * events are recorded when it returns.
 */
export async function decideReview(start: ReviewStart): Promise<HookDecision> {
	const { round, door } = start;
	const { ports, run } = round;
	const startedAt = ports.now();
	const hookMs = hookEnd(start) - startedAt;
	// Measured by a monotonic clock: a hook that waits longer is killed, and the call runs.
	const mustEnd = performance.now() + hookMs;
	const timeoutMs = Math.max(MIN_REVIEW_MS, Math.min(start.timeoutSeconds * 1000, hookMs));
	recordReview(round, new Date(startedAt + timeoutMs).toISOString());

	const stop = new AbortController();
	const unwatch = watchClient(run.clientPid, () => stop.abort());
	const { iteration, max } = round;
	const request = { input: round.hook.raw, iteration, max };
	const ticket = door.open({ ...request, ms: timeoutMs });
	const person = ticket.then((opened) => opened?.decided ?? null).then((answer) => answer ?? never<HookDecision>());
	const reviewed = review({ ...start, iteration, max, timeoutMs, signal: stop.signal });
	const first = await Promise.race([person.then(byPerson), reviewed.then(byReviewer)]);
	stop.abort();
	const outcome = await finishReview(first, await ticket);
	unwatch();
	recordVerdict(round, { ...outcome, durationMs: ports.now() - startedAt });

	if (outcome.result.allow_stop || outcome.by === 'person' || !start.mayHold) return outcome.answer;
	return hold(start, outcome, Math.floor(mustEnd - performance.now()));
}

type FirstDecision = Pick<ReviewOutcome, 'result' | 'by' | 'error' | 'reviewer' | 'answer'>;

function byPerson(answer: HookDecision): FirstDecision {
	const result = resultOf(answer) ?? { allow_stop: false, feedback: '' };
	return { result, by: 'person', answer: { ...answer, review: true } };
}

function byReviewer({ result, error, reviewer }: Reviewed): FirstDecision {
	return {
		result,
		by: 'reviewer',
		answer: reviewDecision(result),
		...defined({ error, reviewer }),
	};
}

/** Closes the ticket. A person who decided just before wins, since their decision is in the journal. */
async function finishReview(first: FirstDecision, ticket: ReviewTicket | null): Promise<FirstDecision> {
	if (first.by === 'person' || ticket === null) return first;
	const how = first.error === undefined ? (first.result.allow_stop ? 'allowed' : 'blocked') : 'failed';
	const answer = await ticket.close(how);
	return answer === null ? first : byPerson(answer);
}

/** Waits for a person as long as the settings allow; without an answer the denial is printed. */
async function hold(start: ReviewStart, outcome: FirstDecision, ms: number): Promise<HookDecision> {
	const { round, door } = start;
	const { iteration, max } = round;
	if (ms < MIN_REVIEW_MS) return outcome.answer;
	const ticket = await door.open({ input: round.hook.raw, iteration, max, ms, denied: outcome.result.feedback });
	return (await ticket?.decided) ?? outcome.answer;
}

function hookEnd({ began, round }: ReviewStart): number {
	const whole = (round.run.timeoutSeconds ?? CLIENT_TIMEOUT_SECONDS) * 1000;
	return began + whole - Math.min(MARGIN_MS, whole / 2);
}

/** Calls `gone` once when the client's process has ended; returns the function that stops watching. */
function watchClient(pid: number | undefined, onEnd: () => void): () => void {
	const client = pid === undefined ? null : identityOf(pid);
	if (client === null) return () => undefined;
	const timer = setInterval(() => {
		if (!isAlive(client)) onEnd();
	}, CLIENT_CHECK_MS);
	return () => clearInterval(timer);
}

const never = <T>(): Promise<T> => new Promise(() => {});

/** A verdict, and if the review failed, why. */
interface Reviewed {
	result: ReviewAnswer;
	error?: string;
	reviewer?: string;
}

interface ReviewCall extends Pick<ReviewStart, 'input' | 'place' | 'env' | 'cwd'> {
	iteration: number;
	max: number;
	timeoutMs: number;
	signal: AbortSignal;
}

/** Variables of the client's own session: a second client must not join it. */
const NOT_INHERITED =
	/^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|MESSAGING_\w+))$/;

/** Has the session reviewed by the person's own client, forked from it. Any failure denies (seed 004). */
async function review(call: ReviewCall): Promise<Reviewed> {
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
