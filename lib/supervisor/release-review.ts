import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import { printable } from '../text/printable.ts';
import { withFeedback } from './answers.ts';
import { reviewDecision } from './review-decision.ts';

/** What a person decided about a running review, or about what the reviewer denied. */
export interface ReviewDecision {
	decision: 'approve' | 'deny';
	reason?: string;
	/** The question's input with the person's answers in it. */
	updatedInput?: Record<string, unknown>;
}

/** What the waiting hook answers after a person's decision. */
export function releaseReview(event: string, decided: ReviewDecision): HookDecision {
	const { decision, updatedInput } = decided;
	const reason = decided.reason === undefined ? '' : printable(decided.reason, 2000);
	if (decision === 'deny') return reviewDecision(blockedWith(reason, event));
	const did = updatedInput && event === 'PreToolUse' ? 'Answered' : 'Allowed';
	const feedback = `${did} in Signalbox by an operator${reason && `: "${reason}"`}`;
	const answers = event === 'PreToolUse' && updatedInput ? { input: updatedInput } : {};
	return { ...reviewDecision({ allow_stop: true, feedback }), ...answers };
}

/** The agent reads the person's own words; without any it gets the default, and is told that a person spoke. */
function blockedWith(reason: string, event: string): { allow_stop: false; feedback: string } {
	const { feedback } = withFeedback({ allow_stop: false, feedback: reason }, event);
	return { allow_stop: false, feedback: `Blocked in Signalbox by an operator: ${feedback}` };
}
