import type { Tone } from '../contract/events/event-labels.ts';
import type { ApprovalView, CallAlarm, CallOutcome, CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Plain } from '../messages/say.ts';
import { msBetween } from '../time/duration.ts';

/** Whether a reviewer is working right now: a person may decide, but nobody waits for one. */
export function isReviewing({ review, state }: Pick<ApprovalView, 'review' | 'state'>): boolean {
	return state === 'waiting' && review !== undefined && !review.isOver;
}

export function requestedAgentOf({ agentName, mismatch, askedAgent }: CallView): string | undefined {
	return agentName ?? mismatch?.actual ?? askedAgent;
}

export function isDenied(call: CallView): boolean {
	return call.verdicts.some((verdict) => verdict.decision === 'deny') && !isOverridden(call);
}

export function wasStopped(call: CallView): boolean {
	return outcomeOf(call) === 'stopped';
}

export function isOverridden(call: CallView): boolean {
	if (call.grant) return true;
	const { approval } = call;
	// A permission prompt of the client is answered, not overridden.
	if (approval?.isPrompt) return false;
	if (!approval || approval.standing || approval.unverified || (approval.review && !approval.review.isOver))
		return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** Whether the call has returned while the agent that it started still works. */
export function isBehind(call: CallView): boolean {
	return Boolean(call.background && call.startedAgentId && !call.agentEnd && !call.closed);
}

/** A call that waited for its agent is over when it returns, however often that agent is woken later. */
export function isAgentLast({ background, endedAt }: CallView): boolean {
	return background === true || endedAt === undefined;
}

/** The outcome of the call. Evidence of a run overrides every verdict. */
export function outcomeOf(call: CallView): CallOutcome {
	if (call.evidence) return isBehind(call) ? 'running' : call.evidence;
	if (call.approval?.state === 'waiting' && !isReviewing(call.approval) && !call.closed) return 'waiting';
	if (isDenied(call) || (call.approval?.isPrompt && call.approval.state === 'denied')) return 'stopped';
	if (call.closed?.why === 'client-denied') return 'stopped';
	return call.closed ? 'unknown' : 'running';
}

export function deniedButRan(call: CallView): boolean {
	return isDenied(call) && call.evidence !== undefined && !call.interrupted;
}

function ranOtherInput(call: CallView): boolean {
	const { ranDigest, judged, grant, approval } = call;
	if (ranDigest === undefined) return false;
	if (grant) return grant.inputDigest !== ranDigest;
	const changed = approval?.changedDigest;
	if (isOverridden(call)) return (changed ?? approval?.askedDigest ?? ranDigest) !== ranDigest;
	if (changed !== undefined && approval?.state === 'approved') return changed !== ranDigest;
	// An unjudged call has an alarm of its own.
	return judged !== undefined && !judged.includes(ranDigest);
}

export function alarmOf(call: CallView): CallAlarm | undefined {
	if (deniedButRan(call)) return 'denied-but-ran';
	if (ranOtherInput(call)) return 'other-input-ran';
	// Its PreToolUse never came: the hook was killed, switched off or missing.
	if (call.evidence && call.calledAt === undefined) return 'ran-unjudged';
	if (isOverridden(call) && !call.evidence && call.closed) return 'allowed-never-ran';
	return undefined;
}

/** A colour is never the only sign. */
export const outcomeLooks = {
	running: { word: 'running', tone: 'run' },
	waiting: { word: 'waiting for you', tone: 'wait' },
	ran: { word: 'ran', tone: 'ok' },
	failed: { word: 'failed', tone: 'err' },
	stopped: { word: 'denied', tone: 'err' },
	unknown: { word: 'outcome unknown', tone: 'warn' },
} as const satisfies Record<CallOutcome, { word: Plain; tone: Tone }>;

const stoppedLook = { word: 'stopped by a person', tone: 'warn' } as const satisfies { word: Plain; tone: Tone };

export function outcomeLook(call: CallView) {
	const outcome = outcomeOf(call);
	return outcome === 'failed' && call.interrupted ? stoppedLook : outcomeLooks[outcome];
}

/** The reason of a question that ended while no server ran: its real end is unknown. */
export const SERVER_RESTARTED = 'the server restarted';

/** How long a call waited for a person. */
export interface Hold {
	from: string;
	/** ISO; the earliest instant at which it was certainly over. */
	to: string;
	ms: number;
	/** It may have ended before `to`. */
	isAtMost: boolean;
}

export function holdOf({ approval, closed, endedAt }: CallView): Hold | undefined {
	if (!approval?.decidedAt) return undefined;
	const { requestedAt, decidedAt, state, reason } = approval;
	const isAtMost = state === 'abandoned' && reason === SERVER_RESTARTED;
	const ends = isAtMost ? [decidedAt, closed?.at, endedAt] : [decidedAt];
	const to = ends.filter((at) => at !== undefined).sort()[0] ?? decidedAt;
	const ms = msBetween(requestedAt, to);
	return requestedAt === undefined || ms === undefined ? undefined : { from: requestedAt, to, ms, isAtMost };
}

/** How long the call itself took (ms), with the run of its sub-agent and without its hold. */
export function durationOf(call: CallView): number | undefined {
	const hold = holdOf(call);
	const since = hold && call.calledAt && hold.to > call.calledAt ? hold.to : call.calledAt;
	const whole = isAgentLast(call) ? msBetween(since, call.agentEnd?.at) : undefined;
	if (whole !== undefined) return whole;
	const seen = msBetween(since, call.endedAt);
	if (call.durationMs === undefined) return seen;
	return hold && seen !== undefined ? Math.min(call.durationMs, seen) : call.durationMs;
}

/** Denied and overridden calls by rule, the busiest first; a waiting call counts as neither. */
export function ruleCounts(calls: readonly CallView[]): { rule: string; denied: number; overridden: number }[] {
	const counts = new Map<string, { rule: string; denied: number; overridden: number }>();
	for (const call of calls) {
		for (const { rule, decision } of call.verdicts) {
			if (decision !== 'deny') continue;
			const count = counts.get(rule) ?? { rule, denied: 0, overridden: 0 };
			if (wasStopped(call)) count.denied += 1;
			if (isOverridden(call)) count.overridden += 1;
			counts.set(rule, count);
		}
	}
	return [...counts.values()]
		.filter(({ denied, overridden }) => denied + overridden > 0)
		.sort((a, b) => b.denied - a.denied);
}
