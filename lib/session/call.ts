import type { ApprovalView, CallAlarm, CallOutcome, CallView } from '../contract/sessions/read-model/call-view.ts';

export type {
	ApprovalView,
	CallAlarm,
	CallOutcome,
	CallVerdict,
	CallView,
	ClosedWhy,
	ReviewAsk,
} from '../contract/sessions/read-model/call-view.ts';

/** Whether a reviewer thinks right now: a person may decide, but nobody waits for one. */
export function isReviewing({ review, state }: Pick<ApprovalView, 'review' | 'state'>): boolean {
	return state === 'waiting' && review !== undefined && !review.isOver;
}

/** The agent that a call asked for, whether it was let start or not. */
export function agentAsked({ agentName, mismatch, askedAgent }: CallView): string | undefined {
	return agentName ?? mismatch?.actual ?? askedAgent;
}

/** Whether the gates denied it and nobody overrode them. */
export function isDenied(call: CallView): boolean {
	return call.verdicts.some((verdict) => verdict.decision === 'deny') && !isOverridden(call);
}

/** Whether it was denied and did not run: what waits for a person, was overridden or ran all the same is something else. */
export function wasStopped(call: CallView): boolean {
	return outcomeOf(call) === 'stopped';
}

/** Whether a person let it run against a denial. */
export function isOverridden(call: CallView): boolean {
	if (call.grant) return true;
	const { approval } = call;
	// A permission prompt of the client is answered, not overridden.
	if (approval?.isPrompt) return false;
	if (!approval || approval.standing || approval.unverified || (approval.review && !approval.review.isOver))
		return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** Whether the call has returned, but the agent that it started works on behind it. */
export function isBehind(call: CallView): boolean {
	return Boolean(call.background && call.startedAgentId && !call.agentEnd && !call.closed);
}

/**
 * Whether the call lasts until the end of the agent that it started. One that waited for its agent is over when it
 * returns, however often that agent is woken again later.
 */
export function isAgentLast({ background, endedAt }: CallView): boolean {
	return background === true || endedAt === undefined;
}

/** What became of the call. Evidence of a run beats every verdict. */
export function outcomeOf(call: CallView): CallOutcome {
	if (call.evidence) return isBehind(call) ? 'running' : call.evidence;
	if (call.approval?.state === 'waiting' && !isReviewing(call.approval) && !call.closed) return 'waiting';
	if (isDenied(call) || (call.approval?.isPrompt && call.approval.state === 'denied')) return 'stopped';
	if (call.closed?.why === 'client-denied') return 'stopped';
	return call.closed ? 'unknown' : 'running';
}

/** "Denied but ran": a denial that did not hold. */
export function deniedButRan(call: CallView): boolean {
	return isDenied(call) && call.evidence !== undefined && !call.interrupted;
}

/** Whether what ran is not what a person let run, nor anything that was judged. */
function ranOtherInput(call: CallView): boolean {
	const { ranDigest, judged, grant, approval } = call;
	if (ranDigest === undefined) return false;
	if (grant) return grant.inputDigest !== ranDigest;
	const changed = approval?.changedDigest;
	if (isOverridden(call)) return (changed ?? approval?.askedDigest ?? ranDigest) !== ranDigest;
	if (changed !== undefined && approval?.state === 'approved') return changed !== ranDigest;
	// Of a call that nobody judged something else is to be said.
	return judged !== undefined && !judged.includes(ranDigest);
}

/** What is wrong with a call, the worst first; undefined when nothing is. */
export function alarmOf(call: CallView): CallAlarm | undefined {
	if (deniedButRan(call)) return 'denied-but-ran';
	if (ranOtherInput(call)) return 'other-input-ran';
	// Its PreToolUse never came: the hook was killed, switched off or not there.
	if (call.evidence && call.calledAt === undefined) return 'ran-unjudged';
	if (isOverridden(call) && !call.evidence && call.closed) return 'allowed-never-ran';
	return undefined;
}
