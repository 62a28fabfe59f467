import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { resultOf, reviewDecision } from '#lib/supervisor/review-answers.ts';
import type { SupervisorInput } from '#lib/supervisor/supervisor-input.ts';
import { identityOf, isAlive } from '../disk/process-identity.ts';
import { type Reviewed, review } from './review.ts';
import type { ReviewDoor, ReviewTicket } from './review-door.ts';
import { type ReviewIteration, type ReviewOutcome, recordReview, recordVerdict } from './review-events.ts';
import type { SupervisorFolder } from './supervisor-folder.ts';

/** A review that is about to begin. */
export interface ReviewStart {
	round: ReviewIteration;
	input: SupervisorInput;
	place: SupervisorFolder;
	env: Readonly<Record<string, string | undefined>>;
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
const LEAST_MS = 1000;
const CLIENT_CHECK_MS = 1000;

/**
 * Reviews, while a person may end it either way: the first decision counts. The reviewer is killed when a person decides and when
 * the agent's client is gone. Returns the answer; all its events are recorded by then.
 */
export async function decideReview(start: ReviewStart): Promise<HookDecision> {
	const { round, door } = start;
	const { ports, run } = round;
	const startedAt = ports.now();
	const hookMs = hookEnd(start) - startedAt;
	// Measured by a monotonic clock: a hook that waits longer is killed, and the call runs.
	const mustEnd = performance.now() + hookMs;
	const timeoutMs = Math.max(LEAST_MS, Math.min(start.timeoutSeconds * 1000, hookMs));
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
		...(error !== undefined && { error }),
		...(reviewer !== undefined && { reviewer }),
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
	if (ms < LEAST_MS) return outcome.answer;
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
