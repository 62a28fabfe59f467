import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { GrantReach } from '#lib/contract/approvals/grant-reach.ts';
import {
	type ListGroup,
	listGroups,
	type SessionCounts,
	type SessionSummary,
	type SessionsPage,
} from '#lib/contract/sessions/read-model/session-summary.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { DAY_MS, dayStart, findSessions, listGroupOf, type SessionSource } from '#lib/session/session-list.ts';
import type { PageRequest } from '#lib/session/session-page.ts';
import { literal, type Query, sql } from '../database/database.ts';
import { dayOf, scopeFilter } from './session-row.ts';

const MAX_SESSIONS = 200;
const MAX_SEARCHED = 2000;

interface FoundLine {
	edge: number;
	session_id: string;
	machine: string;
	team: string;
	level: EdgeLevel;
	grants: GrantReach;
	last_ms: number;
	skey: number;
	json: string;
}

const from = (scope: HubReach, { team, project, machine }: SessionSource = {}) =>
	sql`FROM summaries m JOIN sessions s ON s.key = m.skey JOIN edges e ON e.id = m.edge JOIN teams t ON t.id = m.team
	WHERE ${scopeFilter(scope)} AND NOT s.rewritten AND NOT s.rolled AND (${team}::text IS NULL OR t.name = ${team})
	AND (${project}::text IS NULL OR m.project = ${project}) AND (${machine}::text IS NULL OR e.name = ${machine})`;
const LINE = sql`m.edge, s.session_id, e.name AS machine, t.name AS team, e.level, e.grants, m.last_ms, m.skey, m.json`;
const ORDER = sql`ORDER BY m.day DESC, m.last_ms DESC, m.skey DESC`;

/** `status` is as of the last event. */
export async function readSummaries(query: Query, scope: HubReach, request: PageRequest): Promise<SessionsPage> {
	const { now, zone = 0, limit = MAX_SESSIONS, before, ids, alarmed = false, q = '', make } = request;
	const [, last = null, key = null] = /^(\d{1,16})-(\d{1,15})$/.exec(before ?? '') ?? [];
	const isSearch = q !== '' || make !== undefined;
	const size = isSearch ? MAX_SEARCHED : Math.min(limit, MAX_SESSIONS);
	const day = last === null ? 0 : dayOf(Number(last));
	const found = await query<FoundLine>`SELECT ${LINE} ${from(scope, request)} AND ${ofNames(ids ?? null)}
		AND (${last}::bigint IS NULL OR m.day < ${day} OR (m.day = ${day} AND (m.last_ms, m.skey) < (${last}, ${key})))
		AND (NOT ${alarmed}::bool OR (m.alarmed AND m.last_ms >= ${dayStart(now, zone) - DAY_MS})) ${ORDER} LIMIT ${size + 1}`;
	const lines = found.slice(0, size).map((line) => ({ line, summary: summaryOf(line) }));
	const wanted = new Set(
		findSessions(
			lines.map(({ summary }) => summary).filter(({ agent }) => make === undefined || agent === make),
			q,
		),
	);
	const matching = lines.filter(({ summary }) => wanted.has(summary));
	const page = matching.slice(0, limit);
	const end = page.at(-1)?.line;
	const isMore = matching.length > page.length || (!isSearch && found.length > size);
	return {
		sessions: page.map(({ summary }) => summary),
		counts: isSearch ? countFound(matching, request) : await countSummaries(query, scope, request),
		next: isMore && end ? `${end.last_ms}-${end.skey}` : null,
	};
}

const summaryOf = ({ edge, session_id, machine, team, level, grants, json }: FoundLine): SessionSummary => ({
	...(JSON.parse(json) as SessionSummary),
	sessionId: hubNameOf({ edge, sessionId: session_id }),
	machine: { name: machine, team, level, grants },
});

export interface StoredHead {
	name: string;
	epoch: string;
	head: number;
	seq: number;
}

function ofNames(names: readonly string[] | null) {
	const wanted = names?.flatMap((name) => readHubName(name) ?? []);
	const edges = wanted?.map(({ edge }) => edge) ?? null;
	const ids = wanted?.map(({ sessionId }) => sessionId) ?? null;
	return sql`((${edges}::int[] IS NULL AND NOT m.hidden)
		OR (m.edge, s.session_id) IN (SELECT * FROM unnest(${edges}::int[], ${ids}::text[])))`;
}

export async function readHeads(query: Query, scope: HubReach, names: readonly string[] | null): Promise<StoredHead[]> {
	const found = await query<
		Omit<StoredHead, 'name'> & { edge: number; session_id: string }
	>`SELECT m.edge, s.session_id,
		s.epoch, s.seq AS head, m.seq ${from(scope)} AND ${ofNames(names)} ${ORDER} LIMIT ${literal(MAX_SESSIONS)}`;
	return found.map(({ edge, session_id, ...of }) => ({ name: hubNameOf({ edge, sessionId: session_id }), ...of }));
}

export async function readLines(query: Query, scope: HubReach, names: readonly string[]): Promise<SessionSummary[]> {
	return (await query<FoundLine>`SELECT ${LINE} ${from(scope)} AND ${ofNames(names)}`).map(summaryOf);
}

/** The database does not know the messages, so a match in them is counted here. */
function countFound(
	found: readonly { line: FoundLine; summary: SessionSummary }[],
	{ now, zone = 0 }: PageRequest,
): SessionCounts {
	const midnight = dayStart(now, zone);
	const groups = Object.fromEntries(listGroups.map((name) => [name, 0])) as Record<ListGroup, number>;
	const counts: SessionCounts = { all: found.length, groups, alarmed: 0 };
	for (const { line, summary } of found) {
		groups[listGroupOf(summary.status, line.last_ms, midnight)] += 1;
		counts.alarmed += Number(summary.alarms.length > 0 && line.last_ms >= midnight - DAY_MS);
	}
	return counts;
}

export async function countSummaries(query: Query, scope: HubReach, request: PageRequest): Promise<SessionCounts> {
	const midnight = dayStart(request.now, request.zone ?? 0);
	const found = await query<{ heading: ListGroup; all: number; alarmed: number }>`
		SELECT CASE WHEN m.state IN ('running', 'waiting') THEN 'Running'
				WHEN m.last_ms < ${midnight} OR m.last_ms >= ${midnight + DAY_MS} THEN 'Older'
				WHEN m.state = 'idle' THEN 'Idle' ELSE 'Ended today' END AS heading,
			count(*) AS all, count(*) FILTER (WHERE m.alarmed AND m.last_ms >= ${midnight - DAY_MS}) AS alarmed
		${from(scope, request)} AND NOT m.hidden GROUP BY 1`;
	const groups = Object.fromEntries(listGroups.map((name) => [name, 0])) as Record<ListGroup, number>;
	for (const { heading, all } of found) groups[heading] = all;
	const sum = (of: 'all' | 'alarmed') => found.reduce((total, line) => total + line[of], 0);
	return { all: sum('all'), groups, alarmed: sum('alarmed') };
}
