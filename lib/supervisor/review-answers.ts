import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import { printable } from '../text/printable.ts';

export interface ReviewAnswer {
	allow_stop: boolean;
	feedback: string;
}

export const REVIEW_FAILED = 'Supervisor 审查失败，已阻止操作';

const MAX_FEEDBACK = 8000;

const DEFAULTS = {
	stop: 'The supervisor sees this work as unfinished. Compare it with what was asked, do what is missing, check that it works, and stop then.',
	ask: 'The supervisor wants this question settled without the person. Find the answer in the code and the request, or go on with the best choice and say which it was.',
	allow: 'The supervisor has no objection.',
} as const;

/** Adds a standard text if the reviewer gave none: an agent must learn what to do. */
export function withFeedback({ allow_stop, feedback }: ReviewAnswer, event: string): ReviewAnswer {
	const text = feedback.trim().slice(0, MAX_FEEDBACK);
	if (text !== '') return { allow_stop, feedback: text };
	return { allow_stop, feedback: allow_stop ? DEFAULTS.allow : event === 'PreToolUse' ? DEFAULTS.ask : DEFAULTS.stop };
}

/** A hook inside a review passes, or reviews would review each other. */
export function insideReview(): ReviewAnswer {
	return { allow_stop: true, feedback: 'called from supervisor hook' };
}

/** After that many reviews a stop passes, so that no agent is kept at work for ever. */
export function limitReached(count: number, max: number): ReviewAnswer {
	return { allow_stop: true, feedback: `max iterations (${count}/${max}) reached` };
}

/** A failed review denies. A blocked Stop also says what the agent can do, since no person may be there. */
export function reviewFailed(event: string, why: string, iteration: number, max: number): ReviewAnswer {
	if (event === 'PreToolUse') return { allow_stop: false, feedback: REVIEW_FAILED };
	const rest = [
		`${REVIEW_FAILED}.`,
		`The review could not be made (${why}), so nobody has checked this work.`,
		'Compare it with what was asked yourself, mend what is missing, then stop again.',
		`This is round ${iteration} of ${max}; after the last you may stop unreviewed.`,
	];
	return { allow_stop: false, feedback: rest.join(' ') };
}

export function reviewDecision({ allow_stop: allowed, feedback }: ReviewAnswer): HookDecision {
	return { decision: allowed ? 'allow' : 'deny', reason: feedback, review: true };
}

/** Null for a decision that says neither. */
export function resultOf({ decision, reason }: HookDecision): ReviewAnswer | null {
	if (decision !== 'deny' && reason === undefined) return null;
	return { allow_stop: decision !== 'deny' && decision !== 'ask', feedback: reason ?? '' };
}

interface ReviewDecision {
	decision: 'approve' | 'deny';
	reason?: string;
	updatedInput?: Record<string, unknown>;
}

/** What the waiting hook answers once a person has decided in place of the reviewer. */
export function releaseReview(event: string, decided: ReviewDecision): HookDecision {
	const { decision, updatedInput } = decided;
	const reason = decided.reason === undefined ? '' : printable(decided.reason, 2000);
	if (decision === 'deny') return reviewDecision(blockedWith(reason, event));
	const did = updatedInput && event === 'PreToolUse' ? 'Answered' : 'Allowed';
	const feedback = `${did} in Signalbox by an operator${reason && `: "${reason}"`}`;
	const answers = event === 'PreToolUse' && updatedInput ? { input: updatedInput } : {};
	return { ...reviewDecision({ allow_stop: true, feedback }), ...answers };
}

function blockedWith(reason: string, event: string): { allow_stop: false; feedback: string } {
	const { feedback } = withFeedback({ allow_stop: false, feedback: reason }, event);
	return { allow_stop: false, feedback: `Blocked in Signalbox by an operator: ${feedback}` };
}
