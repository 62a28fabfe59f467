import { msBetween } from '../time/duration.ts';
import { type CallView, isAgentLast } from './call.ts';

/** Why a question ended that a server left behind: it is closed at the next start, so its end is not known. */
export const SERVER_RESTARTED = 'the server restarted';

/** How long a call waited for a person. */
export interface Hold {
	/** ISO. */
	from: string;
	/** ISO; the earliest instant at which it was certainly over. */
	to: string;
	ms: number;
	/** It may have ended before `to`: nobody was there to see. */
	isAtMost: boolean;
}

/** The hold of a call that is no longer held; undefined while it is, and where nobody was asked. */
export function holdOf({ approval, closed, endedAt }: CallView): Hold | undefined {
	if (!approval?.decidedAt) return undefined;
	const { requestedAt, decidedAt, state, reason } = approval;
	const isAtMost = state === 'abandoned' && reason === SERVER_RESTARTED;
	const ends = isAtMost ? [decidedAt, closed?.at, endedAt] : [decidedAt];
	const to = ends.filter((at) => at !== undefined).sort()[0] ?? decidedAt;
	const ms = msBetween(requestedAt, to);
	return requestedAt === undefined || ms === undefined ? undefined : { from: requestedAt, to, ms, isAtMost };
}

/**
 * How long the thing itself took, in ms: the sub-agent's whole run where the call started one. The time for which
 * the call was held is no part of it.
 */
export function durationOf(call: CallView): number | undefined {
	const hold = holdOf(call);
	const since = hold && call.calledAt && hold.to > call.calledAt ? hold.to : call.calledAt;
	const whole = isAgentLast(call) ? msBetween(since, call.agentEnd?.at) : undefined;
	if (whole !== undefined) return whole;
	const seen = msBetween(since, call.endedAt);
	if (call.durationMs === undefined) return seen;
	return hold && seen !== undefined ? Math.min(call.durationMs, seen) : call.durationMs;
}
