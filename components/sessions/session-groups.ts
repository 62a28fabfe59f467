import { isReviewing } from '#lib/session/call.ts';
import { isSilent, type SessionStatus } from '#lib/session/status.ts';
import type { SessionSummary } from '#lib/session/summary.ts';
import { isSameDay } from '#lib/time/clock.ts';

export const groupNames = ['Running', 'Idle', 'Ended today', 'Older'] as const;
export type GroupName = (typeof groupNames)[number];

/** The status at `now` (ms): a question whose deadline has lapsed no longer makes a session wait. */
export function statusNow(session: SessionSummary, now: number): SessionStatus {
	const { status } = session;
	const approvals = session.approvals.filter((approval) => !isReviewing(approval));
	if (status !== 'waiting' || approvals.length === 0) return status;
	return approvals.some(({ deadline }) => !deadline || Date.parse(deadline) > now) ? status : 'running';
}

/** Under which heading a session stands at `now` (ms). */
export function groupOf(session: SessionSummary, now: number): GroupName {
	switch (statusNow(session, now)) {
		case 'running':
		case 'waiting':
			return 'Running';
		case 'idle':
			return isSameDay(lastOf(session), now) ? 'Idle' : 'Older';
		case 'ended':
		case 'lost':
			return isSameDay(lastOf(session), now) ? 'Ended today' : 'Older';
	}
}

const lastOf = ({ endedAt, lastAt, startedAt }: SessionSummary) =>
	Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0;

/** The sessions under their headings: running ones by start, so that rows keep their place; others newest first. */
export function groupSessions(sessions: readonly SessionSummary[], now: number): Map<GroupName, SessionSummary[]> {
	const groups = new Map<GroupName, SessionSummary[]>(groupNames.map((name) => [name, []]));
	for (const session of sessions) groups.get(groupOf(session, now))?.push(session);
	for (const [name, group] of groups) {
		const by = name === 'Running' ? (one: SessionSummary) => Date.parse(one.startedAt ?? '') || 0 : lastOf;
		group.sort((a, b) => by(b) - by(a) || (a.sessionId < b.sessionId ? -1 : 1));
	}
	return groups;
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
