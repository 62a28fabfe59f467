import { FIRST_AGENT } from '../agents/agent-table.ts';
import {
	type ListGroup,
	listGroups,
	type SessionCounts,
	type SessionsPage,
} from '../contract/sessions/read-model/session-summary.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { isUnseen } from './judgement.ts';
import { DAY_MS, dayStart, findSessions, isFromSource, listGroupOf, type SessionSource } from './session-list.ts';
import { statusOf } from './status.ts';
import { summarise } from './summarise.ts';

/** Sessions of the first page, beside running ones and those with alarms. */
export const FIRST_SESSIONS = 100;
const FIRST_ALARMED = 100;

/** Which part of the list; `zone` is how many minutes UTC is ahead of the reader's clock. */
export interface PageRequest extends SessionSource {
	now: number;
	zone?: number | undefined;
	limit?: number | undefined;
	before?: string | undefined;
	q?: string | undefined;
	make?: string | undefined;
	ids?: readonly string[] | undefined;
	alarmed?: boolean | undefined;
}

/** The last active session is first. */
const placeIn = ({ sessionId, lastAt, startedAt }: SessionView): string => `${lastAt ?? startedAt ?? ''}/${sessionId}`;
/** Whether it has an unacknowledged alarm and was active since the day before the reader's `midnight` (ms). */
function isAlarmed(view: SessionView, midnight: number): boolean {
	const { alarms = [], handled } = view;
	if (lastOf(view) < midnight - DAY_MS) return false;
	return alarms.some(({ key }) => isUnseen(key, handled));
}
const lastOf = ({ ended, lost, lastAt, startedAt }: SessionView) =>
	Date.parse((ended ?? lost)?.at ?? lastAt ?? startedAt ?? '') || 0;

function headingOf(view: SessionView, now: number, midnight: number): ListGroup {
	return listGroupOf(statusOf(view, now), lastOf(view), midnight);
}

function inOrder(views: readonly SessionView[]): { view: SessionView; place: string }[] {
	const placed = views.map((view) => ({ view, place: placeIn(view) }));
	return placed.sort((one, other) => (one.place < other.place ? 1 : -1));
}

export function countSessions(views: readonly SessionView[], { now, zone = 0 }: PageRequest): SessionCounts {
	const groups = Object.fromEntries(listGroups.map((name) => [name, 0])) as Record<ListGroup, number>;
	const counts: SessionCounts = { all: 0, groups, alarmed: 0 };
	const midnight = dayStart(now, zone);
	for (const view of views) {
		if (view.reviewer) continue;
		counts.all += 1;
		counts.alarmed += Number(isAlarmed(view, midnight));
		groups[headingOf(view, now, midnight)] += 1;
	}
	return counts;
}

/** One page of the list; the pages that follow each other by `next` are the whole list, each session once. */
export function pageOfSessions(views: readonly SessionView[], request: PageRequest): SessionsPage {
	const { now, before, limit = Number.POSITIVE_INFINITY } = request;
	const wanted = matchingViews(views, request);
	const ordered = inOrder(wanted).filter(({ place }) => before === undefined || place < before);
	const page = ordered.slice(0, limit);
	const next = ordered.length > limit ? (page.at(-1)?.place ?? null) : null;
	return { sessions: page.map(({ view }) => summarise(view, now)), counts: countSessions(wanted, request), next };
}

function matchingViews(views: readonly SessionView[], request: PageRequest): readonly SessionView[] {
	const { now, zone = 0, q, make, ids, alarmed } = request;
	const named = ids && new Set(ids);
	let wanted = views.filter((view) => (named?.has(view.sessionId) ?? true) && isFromSource(view, request));
	if (make !== undefined) wanted = wanted.filter(({ agent = FIRST_AGENT }) => agent === make);
	if (alarmed) wanted = wanted.filter((view) => isAlarmed(view, dayStart(now, zone)));
	if (!q) return wanted;
	const all = wanted.map((view) => summarise(view, now));
	const found = new Set(findSessions(all, q).map(({ sessionId }) => sessionId));
	return wanted.filter(({ sessionId }) => found.has(sessionId));
}

/** The newest sessions, and from the rest whatever runs, waits or has an alarm. */
export function firstPageOfSessions(views: readonly SessionView[], request: PageRequest): SessionsPage {
	const { now, zone = 0 } = request;
	const midnight = dayStart(now, zone);
	const ordered = inOrder(views);
	let quiet = 0;
	const end = ordered.findIndex(({ view }) => !isUnderWay(view, now) && ++quiet > FIRST_SESSIONS);
	const newest = end === -1 ? ordered : ordered.slice(0, end);
	const rest = end === -1 ? [] : ordered.slice(end).map(({ view }) => view);
	const wrong = new Set(rest.filter((view) => isAlarmed(view, midnight)).slice(0, FIRST_ALARMED));
	const pressing = rest.filter((view) => wrong.has(view) || isUnderWay(view, now));
	return {
		sessions: [...newest.map(({ view }) => view), ...pressing].map((view) => summarise(view, now)),
		counts: countSessions(views, request),
		next: rest.length > 0 ? (newest.at(-1)?.place ?? null) : null,
	};
}

function isUnderWay(view: SessionView, now: number): boolean {
	const status = statusOf(view, now);
	const asks = view.approvals.some(({ state }) => state === 'waiting');
	return asks || status === 'running' || status === 'waiting';
}

interface Counted {
	heading: ListGroup;
	isAlarmed: boolean;
}

/** Counts as `countSessions` does: all once a day of the reader, then change by change. */
export function createTally(views: () => readonly SessionView[], now: () => number, zone: number) {
	let midnight = Number.NaN;
	let counts = countSessions([], { now: 0 });
	const known = new Map<string, Counted>();

	function change({ heading, isAlarmed: isWrong }: Counted, by: 1 | -1): void {
		counts = { all: counts.all + by, alarmed: counts.alarmed + (isWrong ? by : 0), groups: { ...counts.groups } };
		counts.groups[heading] += by;
	}
	function addView(view: SessionView): void {
		const before = known.get(view.sessionId);
		if (before) change(before, -1);
		known.delete(view.sessionId);
		if (view.reviewer) return;
		const counted = { heading: headingOf(view, now(), midnight), isAlarmed: isAlarmed(view, midnight) };
		known.set(view.sessionId, counted);
		change(counted, 1);
	}
	function recountOnNewDay(): void {
		const today = dayStart(now(), zone);
		if (today === midnight) return;
		midnight = today;
		for (const view of views()) addView(view);
	}
	return {
		setCounted(view: SessionView) {
			recountOnNewDay();
			addView(view);
		},
		counts() {
			recountOnNewDay();
			return counts;
		},
	};
}

export type SessionTally = ReturnType<typeof createTally>;
