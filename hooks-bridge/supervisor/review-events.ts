import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { REVIEW_FAILED_RULE, REVIEW_RULE, SUPERVISOR_GATE } from '#lib/gates/supervisor/supervisor-gate.ts';
import type { ReviewAnswer } from '#lib/supervisor/review-answers.ts';
import { eventId } from '../engine/draft-events.ts';
import { seal } from '../engine/record.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { Ports } from '../ports/ports.ts';

/** One review, as recorded. */
export interface ReviewIteration {
	hook: AgentHook;
	run: HookRun;
	ports: Ports;
	/** `Stop` or `PreToolUse`. */
	event: string;
	question?: unknown;
	iteration: number;
	max: number;
}

/** The result of a review. */
export interface ReviewOutcome {
	result: ReviewAnswer;
	by: 'reviewer' | 'person' | 'limit';
	/** Why it failed; the result is then the safe answer. */
	error?: string;
	durationMs?: number;
	reviewer?: string;
	answer: HookDecision;
}

const SCOPE = 'supervisor';

/** The id of the review's own event, which its verdict names as its cause. */
export function reviewId({ hook, run, ports }: ReviewIteration): string {
	return eventId(hook, run, ports, 'supervisor:review', 0, SCOPE);
}

export function recordReview(review: ReviewIteration, deadline: string): void {
	const { event: hook, iteration, max, question } = review;
	const draft = { type: 'supervisor:review', hook, iteration, max, deadline } as const;
	append(review, [question === undefined ? draft : { ...draft, question }]);
}

/** Records the result, also as the gate's verdict, where the call's row and the ledger read it. */
export function recordVerdict(review: ReviewIteration, outcome: ReviewOutcome): void {
	const { event: hook, iteration, max } = review;
	const { result, by, error, reviewer, durationMs, answer } = outcome;
	const verdict: DraftEvent = {
		type: 'supervisor:verdict',
		...(by !== 'limit' && { causedBy: reviewId(review) }),
		hook,
		allow: result.allow_stop,
		feedback: result.feedback,
		iteration,
		max,
		durationMs,
		by,
		...(error !== undefined && { failed: true, error }),
		...(reviewer !== undefined && { reviewer }),
	};
	const gate: DraftEvent = {
		type: 'gate:verdict',
		gate: SUPERVISOR_GATE,
		decision: result.allow_stop ? 'pass' : 'deny',
		rule: error === undefined ? REVIEW_RULE : REVIEW_FAILED_RULE,
		reason: result.feedback,
		facts: { iteration, max, by, ...(error !== undefined && { error }) },
		durationMs,
		hook,
		form: 'deny',
		noGrant: true,
		answer,
	};
	append(review, [gate, verdict]);
}

/** A failed write must not cost the answer: the event is lost, the verdict remains. */
function append({ hook, run, ports }: ReviewIteration, drafts: readonly DraftEvent[]): void {
	try {
		ports.append(hook.sessionId, seal(drafts, hook, run, ports, SCOPE));
	} catch {
		// The disk is full or the timeline is not a file: nothing can be recorded.
	}
}
