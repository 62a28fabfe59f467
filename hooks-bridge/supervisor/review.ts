import { join } from 'node:path';
import { reviewFailed, withFeedback } from '#lib/supervisor/answers.ts';
import { readReview, readReviewerOutput } from '#lib/supervisor/read-review.ts';
import { reviewPrompt } from '#lib/supervisor/review-prompt.ts';
import type { SupervisorInput, SupervisorResult } from '#lib/supervisor/supervisor-input.ts';
import { readBounded } from '../disk/bounded-read.ts';
import { runReviewer } from './run-reviewer.ts';
import type { SupervisorFolder } from './supervisor-folder.ts';

/** A verdict, and why it is none of a reviewer's where the review failed. */
export interface Reviewed {
	result: SupervisorResult;
	error?: string;
	/** The reviewer's own session. */
	reviewer?: string;
}

/** What one review needs. */
export interface ReviewCall {
	input: SupervisorInput;
	place: SupervisorFolder;
	env: Readonly<Record<string, string | undefined>>;
	/** Where the client keeps this session: its project, else its working directory. */
	cwd: string;
	iteration: number;
	max: number;
	timeoutMs: number;
	signal: AbortSignal;
}

/** Of the client's own session: a second client must not take itself for a part of it. */
const NOT_INHERITED =
	/^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|MESSAGING_\w+))$/;

/** Has the session reviewed by the person's own client, forked from it. Whatever goes wrong denies (seed 004). */
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
