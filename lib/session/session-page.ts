import { FIRST_AGENT } from '../agents/agent-table.ts';
import {
	type ListGroup,
	listGroups,
	type SessionCounts,
	type SessionsPage,
} from '../contract/sessions/read-model/session-summary.ts';
import { isUnseen } from './alarms.ts';
import { findSessions } from './find-sessions.ts';
import { DAY_MS, dayStart, listGroupOf } from './list-group.ts';
import { isFromSource, type SessionSource } from './session-source.ts';
import { statusOf } from './status.ts';
import { summarise } from './summarise.ts';
import type { SessionView } from './view.ts';

/** So many sessions are in the first page, beside those that are under way, ask somebody, or went wrong. */
export const FIRST_SESSIONS = 100;
/** So many that went wrong are in it; the others come on demand. */
const FIRST_ALARMED = 100;

/** Which part of the list, and at what time (ms) for a reader whose clock UTC is `zone` minutes ahead of. */
export interface PageWish extends SessionSource {
	now: number;
	zone?: number | undefined;
	limit?: number | undefined;
	/** `next` of the page before. */
	before?: string | undefined;
	/** Only those that have every one of these words. */
	q?: string | undefined;
	/** Only those of this make of agent. */
	make?: string | undefined;
	/** Only these. */
	ids?: readonly string[] | undefined;
	/** Only those with an alarm that nobody has acknowledged. */
	alarmed?: boolean | undefined;
}

/** A session's place in the list: who was heard of last stands first, the id decides between equals. */
const placeIn = ({ sessionId, lastAt, startedAt }: SessionView): string => `${lastAt ?? startedAt ?? ''}/${sessionId}`;
/**
 * Whether it has an alarm that nobody has acknowledged, and is not over for long: what was heard of last before
 * yesterday's `midnight` (ms, that of the reader's day) is told on its own page alone.
 */
export function isAlarmed(view: SessionView, midnight: number): boolean {
	const { alarms = [], handled } = view;
	if (lastOf(view) < midnight - DAY_MS) return false;
	return alarms.some(({ key }) => isUnseen(key, handled));
}
const lastOf = ({ ended, lost, lastAt, startedAt }: SessionView) =>
	Date.parse((ended ?? lost)?.at ?? lastAt ?? startedAt ?? '') || 0;

/** The heading of a session at `now`, of a reader whose day began at `midnight` (both ms). */
export function headingOf(view: SessionView, now: number, midnight: number): ListGroup {
	return listGroupOf(statusOf(view, now), lastOf(view), midnight);
}

/** By descending place. */
function inOrder(views: readonly SessionView[]): { view: SessionView; place: string }[] {
	const placed = views.map((view) => ({ view, place: placeIn(view) }));
	return placed.sort((one, other) => (one.place < other.place ? 1 : -1));
}

/** How many of these sessions there are under each heading. */
export function countSessions(views: readonly SessionView[], { now, zone = 0 }: PageWish): SessionCounts {
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

/**
 * One page of the list. Pages that follow one another by `next` are the whole list, each session once, but for those
 * that changed meanwhile: who is told of every change beside the pages lacks none.
 */
export function pageOfSessions(views: readonly SessionView[], wish: PageWish): SessionsPage {
	const { now, before, limit = Number.POSITIVE_INFINITY } = wish;
	const wanted = wantedOf(views, wish);
	const ordered = inOrder(wanted).filter(({ place }) => before === undefined || place < before);
	const page = ordered.slice(0, limit);
	const next = ordered.length > limit ? (page.at(-1)?.place ?? null) : null;
	return { sessions: page.map(({ view }) => summarise(view, now)), counts: countSessions(wanted, wish), next };
}

function wantedOf(views: readonly SessionView[], wish: PageWish): readonly SessionView[] {
	const { now, zone = 0, q, make, ids, alarmed } = wish;
	const named = ids && new Set(ids);
	let wanted = views.filter((view) => (named?.has(view.sessionId) ?? true) && isFromSource(view, wish));
	if (make !== undefined) wanted = wanted.filter(({ agent = FIRST_AGENT }) => agent === make);
	if (alarmed) wanted = wanted.filter((view) => isAlarmed(view, dayStart(now, zone)));
	if (!q) return wanted;
	const all = wanted.map((view) => summarise(view, now));
	const found = new Set(findSessions(all, q).map(({ sessionId }) => sessionId));
	return wanted.filter(({ sessionId }) => found.has(sessionId));
}

/**
 * The page that a reader begins with: the newest sessions, and whatever needs somebody, runs, or went wrong, wherever
 * in the list that is.
 */
export function firstPageOfSessions(views: readonly SessionView[], wish: PageWish): SessionsPage {
	const { now, zone = 0 } = wish;
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
		counts: countSessions(views, wish),
		next: rest.length > 0 ? (newest.at(-1)?.place ?? null) : null,
	};
}

function isUnderWay(view: SessionView, now: number): boolean {
	const status = statusOf(view, now);
	const asks = view.approvals.some(({ state }) => state === 'waiting');
	return asks || status === 'running' || status === 'waiting';
}
