import { isReviewing } from '#lib/session/call.ts';
import { remembered } from '#lib/session/remembered.ts';
import { isSilent, type SessionStatus } from '#lib/session/status.ts';
import type { SessionSummary } from '#lib/session/summary.ts';

const groupNames = ['Running', 'Idle', 'Ended today', 'Older'] as const;
type GroupName = (typeof groupNames)[number];

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
export function groupSessions(sessions: readonly SessionSummary[], now: number): Map<GroupName, SessionSummary[]> {
	const groups = new Map<GroupName, SessionSummary[]>(groupNames.map((name) => [name, []]));
	const today = dayOf(now);
	for (const session of sessions) groups.get(groupOf(session, now, today))?.push(session);
	for (const [name, group] of groups) group.sort(name === 'Running' ? byStart : byLast);
	return groups;
}

function groupOf(session: SessionSummary, now: number, today: { from: number; to: number }): GroupName {
	const status = statusNow(session, now);
	if (status === 'running' || status === 'waiting') return 'Running';
	const last = lastOf(session);
	if (last < today.from || last >= today.to) return 'Older';
	return status === 'idle' ? 'Idle' : 'Ended today';
}

/** The reader's calendar day around `now` (ms). */
function dayOf(now: number): { from: number; to: number } {
	const day = new Date(now);
	const from = day.setHours(0, 0, 0, 0);
	return { from, to: day.setDate(day.getDate() + 1) };
}

/** The sessions with something wrong beyond their status, those that started last first. */
export function alarmedOf(sessions: readonly SessionSummary[], now: number) {
	return sessions
		.map((session) => ({ session, alarms: alarmsOf(session, now) }))
		.filter(({ alarms }) => alarms.length > 0)
		.sort((one, other) => byStart(one.session, other.session));
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
