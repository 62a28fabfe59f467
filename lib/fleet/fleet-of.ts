import type { Fleet, FleetLane } from '../contract/sessions/fleet.ts';
import type { LaneState, Moment, SessionView } from '../contract/sessions/read-model/session-view.ts';

type FleetSession = Pick<SessionView, 'sessionId' | 'reviewer' | 'startedAt' | 'lastAt' | 'moments' | 'laneState'>;

/** More lanes than these are no picture any more. */
export const MOST_LANES = 60;

const MINUTE_MS = 60_000;
const underWay: ReadonlySet<LaneState | undefined> = new Set(['working', 'waiting', 'reviewed']);
const marks: ReadonlySet<Moment['what']> = new Set(['denial', 'mismatch', 'decision']);

/** What is a mark on a lane, and not a state of it. */
export const isMark = (moment: Pick<Moment, 'what'>): boolean => marks.has(moment.what);

/**
 * What sessions did in the `minutes` before `now` (ms), from their views: no event is read for it. Of very many those
 * that are under way come first, then those that were heard of last.
 */
export function fleetOf(views: readonly FleetSession[], { now, minutes }: { now: number; minutes: number }): Fleet {
	const from = new Date(now - minutes * MINUTE_MS).toISOString();
	const isUnderWay = ({ laneState }: FleetSession) => underWay.has(laneState);
	const active = views.filter((view) => !view.reviewer && (isUnderWay(view) || (view.lastAt ?? '') >= from));
	const pressing = active.toSorted(
		(one, other) => Number(isUnderWay(other)) - Number(isUnderWay(one)) || order(other.lastAt, one.lastAt),
	);
	const lanes = pressing
		.slice(0, MOST_LANES)
		.sort((one, other) => order(other.startedAt, one.startedAt) || order(one.sessionId, other.sessionId))
		.map((view) => laneOf(view, from));
	return { from, to: new Date(now).toISOString(), lanes, more: active.length - lanes.length };
}

const order = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0);

function laneOf({ sessionId, moments = [] }: FleetSession, from: string): FleetLane {
	const before = moments.findLast((moment) => moment.at <= from && !isMark(moment))?.what as LaneState | undefined;
	return { sessionId, before: before ?? null, moments: moments.filter(({ at }) => at > from) };
}
