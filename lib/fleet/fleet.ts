import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import type { LaneState, Moment, SessionView } from '../contract/sessions/read-model/session-view.ts';
import type { Fleet, FleetLane } from '../contract/sessions/session-queries.ts';
import type { Plain } from '../messages/say.ts';
import { busyOf, isSilent, statusOf } from '../session/status.ts';

/** Nobody could read more lanes. */
export const MAX_LANES = 60;

const MINUTE_MS = 60_000;
const BUSY_STATES: ReadonlySet<LaneState | undefined> = new Set(['working', 'waiting', 'reviewed']);
const marks: ReadonlySet<Moment['what']> = new Set(['denial', 'mismatch', 'decision']);

const isMark = (moment: Pick<Moment, 'what'>): boolean => marks.has(moment.what);

/**
 * What sessions did in the last `minutes`, from their views alone. Of too many the running ones come first, then the last active.
 */
export function fleetOf(views: readonly SessionView[], { now, minutes }: { now: number; minutes: number }): Fleet {
	const from = new Date(now - minutes * MINUTE_MS).toISOString();
	const isBusy = ({ laneState }: SessionView) => BUSY_STATES.has(laneState);
	const active = views.filter((view) => !view.reviewer && (isBusy(view) || (view.lastAt ?? '') >= from));
	const busyFirst = active.toSorted(
		(one, other) => Number(isBusy(other)) - Number(isBusy(one)) || compareText(other.lastAt, one.lastAt),
	);
	const lanes = busyFirst
		.slice(0, MAX_LANES)
		.sort((one, other) => compareText(other.startedAt, one.startedAt) || compareText(one.sessionId, other.sessionId))
		.map((view) => laneOf(view, from, now));
	return { from, to: new Date(now).toISOString(), lanes, more: active.length - lanes.length };
}

const compareText = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0);

function laneOf(view: SessionView, from: string, now: number): FleetLane {
	const { sessionId, lastAt } = view;
	const moments = [...(view.moments ?? [])];
	// Nobody knows whether a silent session still works, so its lane is idle from its last event on.
	if (lastAt !== undefined && isSilent({ lastAt, busy: busyOf(view) }, statusOf(view, now), now))
		moments.push({ at: lastAt, what: 'idle', row: moments.at(-1)?.row ?? '' });
	const before = moments.findLast((moment) => moment.at <= from && !isMark(moment))?.what as LaneState | undefined;
	return { sessionId, before: before ?? null, moments: moments.filter(({ at }) => at > from) };
}

interface LaneSpan {
	state: LaneState;
	from: number;
	to: number;
}

/** Without gaps while the session is running. */
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

/** What a lane shows at `at` (ms); null before its session began and after it ended. */
export function stateAt(spans: readonly LaneSpan[], at: number): LaneState | null {
	return spans.findLast((span) => span.from <= at && at <= span.to)?.state ?? null;
}

/** The marks of a lane. A call that is not in the plan has one mark, its mismatch, and none for its denial. */
export function laneMarks({ moments }: FleetLane): Moment[] {
	const mismatched = new Set(moments.filter(({ what }) => what === 'mismatch').map(({ row }) => row));
	return moments.filter((moment) => isMark(moment) && !(moment.what === 'denial' && mismatched.has(moment.row)));
}

/** The mark nearest to `at`, at most `reach` away (both ms). */
export function markNear(lane: FleetLane, at: number, reach: number): Moment | undefined {
	const distance = (moment: Moment) => Math.abs(Date.parse(moment.at) - at);
	return laneMarks(lane)
		.filter((moment) => distance(moment) <= reach)
		.sort((one, other) => distance(one) - distance(other))[0];
}

/** The time (ms) of the next moment after `at`, or before it for -1; `axisEnd` if there is none. */
export function nextMoment({ moments }: FleetLane, at: number, direction: 1 | -1, axisEnd: number): number {
	const times = moments.map((moment) => Date.parse(moment.at));
	const next = direction === 1 ? times.find((time) => time > at) : times.findLast((time) => time < at);
	return next ?? axisEnd;
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

export const momentWords = (what: Moment['what'] | null): Plain => (what === null ? 'not there' : stateWords[what]);

const RUNNING_STATUSES: ReadonlySet<SessionSummary['status']> = new Set(['running', 'waiting']);

/** Lanes of sessions that are still loading, so that their space is reserved. */
export function lanesToCome(
	sessions: Readonly<Record<string, SessionSummary>> | null,
	minutes: number,
	now: number,
): number {
	const from = new Date(now - minutes * MINUTE_MS).toISOString();
	const all = Object.values(sessions ?? {});
	const shown = all.filter(({ status, lastAt = '' }) => RUNNING_STATUSES.has(status) || lastAt >= from);
	return Math.min(MAX_LANES, shown.length);
}

export interface FleetCursor {
	sessionId: string;
	at: number;
}

/** The lanes from top to bottom, and the ends (ms) of their common axis. */
interface FleetAxis {
	lanes: readonly FleetLane[];
	from: number;
	to: number;
}

/** Where a key moves the cursor: up and down by lanes, left and right by moments, else to an end; null for other keys. */
export function moveCursor(
	key: string,
	cursor: FleetCursor | null,
	{ lanes, from, to }: FleetAxis,
): FleetCursor | null {
	const index = lanes.findIndex(({ sessionId }) => sessionId === cursor?.sessionId);
	const at = cursor?.at ?? to;
	const cursorAt = (lane: FleetLane | undefined, instant: number) =>
		lane ? { sessionId: lane.sessionId, at: instant } : null;
	const lane = lanes[Math.max(0, index)];
	switch (key) {
		case 'ArrowDown':
			return cursorAt(lanes[Math.min(lanes.length - 1, index + 1)], at);
		case 'ArrowUp':
			return cursorAt(lanes[Math.max(0, index - 1)], at);
		case 'ArrowLeft':
			return cursorAt(lane, lane ? nextMoment(lane, at, -1, from) : at);
		case 'ArrowRight':
			return cursorAt(lane, lane ? nextMoment(lane, at, 1, to) : at);
		case 'Home':
			return cursorAt(lane, from);
		case 'End':
			return cursorAt(lane, to);
		default:
			return null;
	}
}
