import {
	type ListGroup,
	listGroups,
	type SessionStatus,
	type SessionSummary,
} from '../contract/sessions/read-model/session-summary.ts';
import { isReviewing } from './call.ts';
import { DAY_MS, dayStart, listGroupOf } from './list-group.ts';
import { raisedAlarms } from './raised-alarms.ts';
import { remembered } from './remembered.ts';

/** The status at `now` (ms): a question whose deadline has lapsed no longer makes a session wait. */
export function statusNow(session: SessionSummary, now: number): SessionStatus {
	const { status } = session;
	const approvals = session.approvals.filter((approval) => !isReviewing(approval));
	if (status !== 'waiting' || approvals.length === 0) return status;
	return approvals.some(({ deadline }) => !deadline || Date.parse(deadline) > now) ? status : 'running';
}

const startOf = remembered(({ startedAt }: SessionSummary) => Date.parse(startedAt ?? '') || 0);
const lastOf = remembered(
	({ endedAt, lastAt, startedAt }: SessionSummary) => Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0,
);
/** Rows keep their place: only another session can change the order of two. */
const byStart = (a: SessionSummary, b: SessionSummary) =>
	startOf(b) - startOf(a) || (a.sessionId < b.sessionId ? -1 : 1);
const byLast = (a: SessionSummary, b: SessionSummary) => lastOf(b) - lastOf(a) || (a.sessionId < b.sessionId ? -1 : 1);

/** The sessions under their headings: running ones by start, so that rows keep their place; others newest first. */
export function groupSessions(sessions: readonly SessionSummary[], now: number): Map<ListGroup, SessionSummary[]> {
	const groups = new Map<ListGroup, SessionSummary[]>(listGroups.map((name) => [name, []]));
	const midnight = dayStart(now, new Date(now).getTimezoneOffset());
	for (const session of sessions) {
		groups.get(listGroupOf(statusNow(session, now), lastOf(session), midnight))?.push(session);
	}
	for (const [name, group] of groups) group.sort(name === 'Running' ? byStart : byLast);
	return groups;
}

/** The sessions with alarms that somebody should look at, those that started last first. */
export function alarmedOf(sessions: readonly SessionSummary[], now: number) {
	const midnight = dayStart(now, new Date(now).getTimezoneOffset());
	return sessions
		.map((session) => ({ session, alarms: raisedAlarms(session, statusNow(session, now), now, midnight) }))
		.filter(({ alarms }) => alarms.length > 0)
		.sort((one, other) => byStart(one.session, other.session));
}

/** Whether it counts among the alarmed ones of the server: it has an alarm that nobody has acknowledged. */
export function isMarked(session: SessionSummary, now: number): boolean {
	return session.alarms.length > 0 && lastOf(session) >= dayStart(now, new Date(now).getTimezoneOffset()) - DAY_MS;
}

/**
 * The sessions that go on when a person says how, although no call waits: stages that did not pass, and questions in
 * their own terminals; those that have waited longest first. Before yesterday is too long ago.
 */
export function stuckOf(sessions: readonly SessionSummary[], now: number): SessionSummary[] {
	const since = dayStart(now, new Date(now).getTimezoneOffset()) - DAY_MS;
	return sessions
		.filter((session) => (session.stuck || asksElsewhere(session)) && lastOf(session) >= since)
		.sort((one, other) => ((one.stuck?.at ?? one.lastAt ?? '') < (other.stuck?.at ?? other.lastAt ?? '') ? -1 : 1));
}

const asksElsewhere = ({ status, approvals }: SessionSummary) =>
	status === 'waiting' && approvals.every((approval) => isReviewing(approval));
