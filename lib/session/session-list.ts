import {
	type ListGroup,
	listGroups,
	type SessionStatus,
	type SessionSummary,
} from '../contract/sessions/read-model/session-summary.ts';
import type { AlarmView } from '../contract/sessions/read-model/session-view.ts';
import { inWords, sentence, type Worded, wordsOf } from '../messages/sentence.ts';
import { isReviewing } from './call.ts';
import { remembered } from './remembered.ts';
import { isSilent } from './status.ts';

/** The status at `now` (ms): a lapsed question does not make a session wait. */
export function statusNow(session: SessionSummary, now: number): SessionStatus {
	const { status } = session;
	const approvals = session.approvals.filter((approval) => !isReviewing(approval));
	if (status !== 'waiting' || approvals.length === 0) return status;
	return approvals.some(({ deadline }) => !deadline || Date.parse(deadline) > now) ? status : 'running';
}

const startOf = remembered(({ startedAt }: SessionSummary) => Date.parse(startedAt ?? '') || 0);
export const lastOf = remembered(
	({ endedAt, lastAt, startedAt }: Pick<SessionSummary, 'endedAt' | 'lastAt' | 'startedAt'>) =>
		Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0,
);
const byStart = (a: SessionSummary, b: SessionSummary) =>
	startOf(b) - startOf(a) || (a.sessionId < b.sessionId ? -1 : 1);
const byLast = (a: SessionSummary, b: SessionSummary) => lastOf(b) - lastOf(a) || (a.sessionId < b.sessionId ? -1 : 1);

/** Running sessions by start, so that rows keep their place; others newest first. */
export function groupSessions(sessions: readonly SessionSummary[], now: number): Map<ListGroup, SessionSummary[]> {
	const groups = new Map<ListGroup, SessionSummary[]>(listGroups.map((name) => [name, []]));
	const midnight = dayStart(now, new Date(now).getTimezoneOffset());
	for (const session of sessions) {
		groups.get(listGroupOf(statusNow(session, now), lastOf(session), midnight))?.push(session);
	}
	for (const [name, group] of groups) group.sort(name === 'Running' ? byStart : byLast);
	return groups;
}

/** Sorted by start, so that rows keep their place while sessions work. */
export function alarmedOf(sessions: readonly SessionSummary[], now: number) {
	const midnight = dayStart(now, new Date(now).getTimezoneOffset());
	return sessions
		.map((session) => ({ session, alarms: raisedAlarms(session, statusNow(session, now), now, midnight) }))
		.filter(({ alarms }) => alarms.length > 0)
		.sort((one, other) => byStart(one.session, other.session));
}

/** Whether the list marks it: it has an unacknowledged alarm and was active since yesterday. */
export function isMarked(session: SessionSummary, now: number): boolean {
	return session.alarms.length > 0 && lastOf(session) >= dayStart(now, new Date(now).getTimezoneOffset()) - DAY_MS;
}

/**
 * Sessions that wait for a person without a held call: failed stages and prompts in their own terminals, the longest
 * wait first; none older than yesterday.
 */
export function stuckOf(sessions: readonly SessionSummary[], now: number): SessionSummary[] {
	const since = dayStart(now, new Date(now).getTimezoneOffset()) - DAY_MS;
	return sessions
		.filter((session) => (session.stuck || asksElsewhere(session)) && lastOf(session) >= since)
		.sort((one, other) => ((one.stuck?.at ?? one.lastAt ?? '') < (other.stuck?.at ?? other.lastAt ?? '') ? -1 : 1));
}

const asksElsewhere = ({ status, approvals }: SessionSummary) =>
	status === 'waiting' && approvals.every((approval) => isReviewing(approval));

export const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** When (ms) the reader's day began; `zone` is how many minutes UTC is ahead of the reader's clock. */
export function dayStart(now: number, zone: number): number {
	return Math.floor((now - zone * MINUTE_MS) / DAY_MS) * DAY_MS + zone * MINUTE_MS;
}

/** The heading of a session that was last active at `last` (ms), on the day that began at `midnight` (ms). */
export function listGroupOf(status: SessionStatus, last: number, midnight: number): ListGroup {
	if (status === 'running' || status === 'waiting') return 'Running';
	if (last < midnight || last >= midnight + DAY_MS) return 'Older';
	return status === 'idle' ? 'Idle' : 'Ended today';
}

export type RaisedAlarm = AlarmView & Worded<'cause'>;

type Alarmed = Pick<SessionSummary, 'alarms' | 'busy' | 'quiet' | 'doing' | 'lastAt' | 'endedAt' | 'startedAt'>;

/** The alarms that need attention at `now` (ms), for a reader whose day began at `midnight` (ms); none older than yesterday. */
function raisedAlarms(session: Alarmed, status: SessionStatus, now: number, midnight: number): RaisedAlarm[] {
	const { alarms, lastAt, doing, quiet } = session;
	if (lastOf(session) < midnight - DAY_MS) return [];
	const raised: RaisedAlarm[] = alarms.filter(({ until }) => until === undefined || Date.parse(until) <= now);
	if (lastAt === undefined || !isSilent(session, status, now)) return raised;
	const isQuiet = quiet?.since === lastAt && (quiet.until === undefined || Date.parse(quiet.until) > now);
	const known = [doing?.agent ?? '', doing ? wordsOf(doing, 'text') : ''].filter((words) => words !== '');
	const cause = known.length > 0 ? known : sentence('nothing is heard of it');
	return isQuiet ? raised : [...raised, { key: `silent:${lastAt}`, kind: 'silent', at: lastAt, ...inWords({ cause }) }];
}

const textOf = remembered(({ sessionId, project, branch, machine, title, workflow, status, agent }: SessionSummary) =>
	[locationWords(project, branch, sessionId), machine?.name, machine?.team, title, workflow, status, agent, sessionId]
		.join('\n')
		.toLowerCase(),
);

/** The sessions whose line contains every word, ignoring case. */
export function findSessions(sessions: readonly SessionSummary[], words: string): readonly SessionSummary[] {
	const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
	if (wanted.length === 0) return sessions;
	return sessions.filter((session) => wanted.every((word) => textOf(session).includes(word)));
}

export interface SessionSource {
	team?: string | undefined;
	project?: string | undefined;
	machine?: string | undefined;
}

/** An absent part of `source` fits every session. */
export function isFromSource(session: Pick<SessionSummary, 'project' | 'machine'>, source: SessionSource): boolean {
	const { team = session.machine?.team, project = session.project, machine = session.machine?.name } = source;
	return team === session.machine?.team && project === session.project && machine === session.machine?.name;
}

/** `shop/checkout`, else the session's id; on a hub `shop/checkout · laptop`. */
export function locationWords(
	project: string | undefined,
	branch: string | undefined,
	sessionId: string,
	machine?: { name: string },
): string {
	const location = project ? [project, branch].filter(Boolean).join('/') : sessionId;
	return machine ? `${location} · ${machine.name}` : location;
}

/** The sessions that share task and place with another one: their start tells them apart. */
export const namesakesOf = remembered((sessions: Readonly<Record<string, SessionSummary>>): ReadonlySet<string> => {
	const all = Object.values(sessions).map(({ sessionId, project, branch, machine, title }) => {
		return [`${title} ${locationWords(project, branch, sessionId, machine)}`, sessionId] as const;
	});
	const [last, first] = [new Map(all), new Map(all.toReversed())];
	return new Set(all.flatMap(([name, id]) => (last.get(name) === first.get(name) ? [] : id)));
});

/** Of two summaries of one session the one that covers more events is kept. */
export function mergeSummaries(
	known: Readonly<Record<string, SessionSummary>>,
	more: readonly SessionSummary[],
): Record<string, SessionSummary> {
	const merged = { ...known };
	for (const summary of more) {
		const { sessionId, seq } = summary;
		if (seq >= (merged[sessionId]?.seq ?? 0)) merged[sessionId] = summary;
	}
	return merged;
}
