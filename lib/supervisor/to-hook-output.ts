import type { SupervisorOutput, SupervisorResult } from './hook-forms.ts';

/**
 * Turns a review's result into what the hook prints, exactly as the table of seed 004: PreToolUse gets `allow` or
 * `deny`, everything else is a Stop and gets `{reason}` or `{decision: "block", reason}`.
 */
export function supervisorResultToHookOutput(result: SupervisorResult, event: string): SupervisorOutput {
	const { allow_stop: allowed, feedback } = result;
	if (event === 'PreToolUse') {
		return {
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: allowed ? 'allow' : 'deny',
				permissionDecisionReason: feedback,
			},
		};
	}
	return allowed ? { reason: feedback } : { decision: 'block', reason: feedback };
}

/** The way back: what a printed output says, whoever made it. Null for one that decides nothing. */
export function resultOfOutput(output: Readonly<Record<string, unknown>>): SupervisorResult | null {
	const { decision, reason, hookSpecificOutput: specific } = output;
	if (typeof specific === 'object' && specific !== null && 'permissionDecision' in specific) {
		const said = 'permissionDecisionReason' in specific ? specific.permissionDecisionReason : '';
		const feedback = typeof said === 'string' ? said : '';
		return { allow_stop: specific.permissionDecision === 'allow', feedback };
	}
	if (decision !== 'block' && typeof reason !== 'string') return null;
	return { allow_stop: decision !== 'block', feedback: typeof reason === 'string' ? reason : '' };
}
