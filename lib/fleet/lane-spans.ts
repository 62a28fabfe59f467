import type { FleetLane } from '../contract/sessions/fleet.ts';
import type { LaneState, Moment } from '../contract/sessions/read-model/session-view.ts';
import type { Plain } from '../messages/say.ts';
import { isMark } from './fleet-of.ts';

/** A time in which a session did one thing; ms. */
export interface LaneSpan {
	state: LaneState;
	from: number;
	to: number;
}

/** A lane as spans without holes, but for what was before a session began and after it was over. */
export function laneSpans({ before, moments }: FleetLane, from: number, to: number): LaneSpan[] {
	const spans: LaneSpan[] = [];
	let state: LaneState | null = before;
	let since = from;
	for (const moment of moments) {
		if (isMark(moment)) continue;
		const at = Math.min(to, Math.max(from, Date.parse(moment.at)));
		if (state !== null && state !== 'over' && at > since) spans.push({ state, from: since, to: at });
		state = moment.what as LaneState;
		since = at;
	}
	if (state !== null && state !== 'over' && to > since) spans.push({ state, from: since, to });
	return spans;
}

/** What a session did at an instant (ms); null where it was not there. */
export function stateAt(spans: readonly LaneSpan[], at: number): LaneState | null {
	return spans.findLast((span) => span.from <= at && at <= span.to)?.state ?? null;
}

/** The marks of a lane; a call that the plan did not expect is not told as denied, too. */
export function laneMarks({ moments }: FleetLane): Moment[] {
	const mismatched = new Set(moments.filter(({ what }) => what === 'mismatch').map(({ row }) => row));
	return moments.filter((moment) => isMark(moment) && !(moment.what === 'denial' && mismatched.has(moment.row)));
}

/** The mark within `reach` (ms) of an instant that is nearest to it. */
export function markNear(lane: FleetLane, at: number, reach: number): Moment | undefined {
	const distance = (moment: Moment) => Math.abs(Date.parse(moment.at) - at);
	return laneMarks(lane)
		.filter((moment) => distance(moment) <= reach)
		.sort((one, other) => distance(one) - distance(other))[0];
}

/** The instant (ms) of the next moment in a direction; the edge of the lane where there is none. */
export function nextMoment({ moments }: FleetLane, at: number, by: 1 | -1, edge: number): number {
	const times = moments.map((moment) => Date.parse(moment.at));
	const next = by === 1 ? times.find((time) => time > at) : times.findLast((time) => time < at);
	return next ?? edge;
}

const stateWords: Record<Moment['what'], Plain> = {
	working: 'working',
	waiting: 'waits for you',
	reviewed: 'being reviewed',
	failed: 'failed',
	idle: 'idle',
	over: 'over',
	denial: 'denied',
	mismatch: 'not in the plan',
	decision: 'decided by a person',
};

/** A state or a mark in words. */
export const momentWords = (what: Moment['what'] | null): Plain => (what === null ? 'not there' : stateWords[what]);
