import { isReviewing } from '#lib/session/call.ts';
import { dayStart, type ListGroup, listGroupOf, listGroups } from '#lib/session/list-group.ts';
import { remembered } from '#lib/session/remembered.ts';
import { isSilent, type SessionStatus } from '#lib/session/status.ts';
import type { SessionSummary } from '#lib/session/summary.ts';

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

/** The sessions with something wrong beyond their status, those that started last first. */
export function alarmedOf(sessions: readonly SessionSummary[], now: number) {
	return sessions
		.map((session) => ({ session, alarms: alarmsOf(session, now) }))
		.filter(({ alarms }) => alarms.length > 0)
		.sort((one, other) => byStart(one.session, other.session));
}

/** Whether calls of it did not go as decided; what the server counts as alarmed. */
export function isMarked({ counts }: SessionSummary): boolean {
	return counts.alarms > 0 || counts.deniedButRan > 0;
}

/** What is wrong with a session beyond its status, in words; empty when nothing is. */
export function alarmsOf(session: SessionSummary, now: number): string[] {
	const alarms: string[] = [];
	const { deniedButRan, alarms: all } = session.counts;
	const others = all - deniedButRan;
	if (deniedButRan > 0) alarms.push(`${deniedButRan} denied but ran`);
	if (others > 0)
		alarms.push(others === 1 ? '1 call that did not go as decided' : `${others} calls that did not go as decided`);
	if (isSilent(statusNow(session, now), session.lastAt, now)) alarms.push('silent for more than 4 min');
	return alarms;
}
