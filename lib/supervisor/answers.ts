import type { SupervisorResult } from './supervisor-input.ts';

/** What the agent reads where a review failed (seed 004, word for word). */
export const REVIEW_FAILED = 'Supervisor 审查失败，已阻止操作';

/** Longest feedback that is printed and told, in UTF-16 units. */
const MAX_FEEDBACK = 8000;

const DEFAULTS = {
	stop: 'The supervisor sees this work as unfinished. Compare it with what was asked, do what is missing, check that it works, and stop then.',
	ask: 'The supervisor wants this question settled without the person. Find the answer in the code and the request, or go on with the best choice and say which it was.',
	allow: 'The supervisor has no objection.',
} as const;

/** The result with feedback that says something: a default where the reviewer gave none. */
export function withFeedback({ allow_stop, feedback }: SupervisorResult, event: string): SupervisorResult {
	const said = feedback.trim().slice(0, MAX_FEEDBACK);
	if (said !== '') return { allow_stop, feedback: said };
	return { allow_stop, feedback: allow_stop ? DEFAULTS.allow : event === 'PreToolUse' ? DEFAULTS.ask : DEFAULTS.stop };
}

/** A hook of the reviewer's own session: it is never reviewed itself. */
export function insideReview(): SupervisorResult {
	return { allow_stop: true, feedback: 'called from supervisor hook' };
}

/** The limit that ends a quarrel between agent and reviewer. */
export function limitReached(count: number, max: number): SupervisorResult {
	return { allow_stop: true, feedback: `max iterations (${count}/${max}) reached` };
}

/**
 * A review that failed denies. The question gets the seed's reason alone. A Stop is blocked, so its text also says
 * what the agent can do: nobody else may come, and only the limit ends the rounds.
 */
export function reviewFailed(event: string, why: string, iteration: number, max: number): SupervisorResult {
	if (event === 'PreToolUse') return { allow_stop: false, feedback: REVIEW_FAILED };
	const rest = [
		`${REVIEW_FAILED}.`,
		`The review could not be made (${why}), so nobody has checked this work.`,
		'Compare it with what was asked yourself, mend what is missing, then stop again.',
		`This is round ${iteration} of ${max}; after the last you may stop unreviewed.`,
	];
	return { allow_stop: false, feedback: rest.join(' ') };
}
