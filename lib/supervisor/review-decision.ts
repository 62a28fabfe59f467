import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import type { SupervisorResult } from './supervisor-input.ts';

/** A review's result as the hook answers it: the table of seed 004 is how adapters print it. */
export function reviewDecision({ allow_stop: allowed, feedback }: SupervisorResult): HookDecision {
	return { decision: allowed ? 'allow' : 'deny', reason: feedback, review: true };
}

/** The way back, whoever decided; null for a decision that says neither. */
export function resultOf({ decision, reason }: HookDecision): SupervisorResult | null {
	if (decision !== 'deny' && reason === undefined) return null;
	return { allow_stop: decision !== 'deny' && decision !== 'ask', feedback: reason ?? '' };
}
