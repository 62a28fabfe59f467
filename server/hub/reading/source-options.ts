import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { DAY_MS } from '#lib/session/session-list.ts';
import { literal, type Query } from '../database/database.ts';
import { CONNECTED } from '../edges/edge-store.ts';
import { dayOf, scopeFilter } from '../timelines/session-row.ts';

const MAX_NAMES = 500;

const READ_DAYS = 15;

interface EdgeCounts {
	edge: number;
	running: number;
	waiting: number;
	denied: number;
}

async function countByEdge(query: Query, scope: HubReach, now: number): Promise<Map<number, EdgeCounts>> {
	const counted = await query<EdgeCounts>`
		SELECT edge, sum(running)::int AS running, sum(waiting)::int AS waiting, sum(denied)::int AS denied FROM (
			SELECT m.edge, count(*) FILTER (WHERE m.state = 'running') AS running,
				count(*) FILTER (WHERE m.state = 'waiting') AS waiting, 0 AS denied
			FROM summaries m JOIN sessions s ON s.key = m.skey
			WHERE m.state IN ('running', 'waiting') AND NOT m.hidden AND NOT s.rewritten AND ${scopeFilter(scope)} GROUP BY 1
			UNION ALL SELECT s.edge, 0, 0, count(*) FROM events e JOIN sessions s ON s.key = e.skey JOIN summaries m ON m.skey = s.key
			WHERE e.denied AND e.part > ${dayOf(now) - READ_DAYS} AND e.at > now() - interval '1 day'
				AND m.last_ms > ${now - DAY_MS} AND ${scopeFilter(scope)} GROUP BY 1
		) AS parts GROUP BY edge`;
	return new Map(counted.map((line) => [line.edge, line]));
}

type PlaceRow = { id: number; name: string; team: string; connected: boolean; seen_at: Date | null };

/** Teams, machines and projects to filter by, with counts of their sessions. */
export async function readSourceOptions(query: Query, scope: HubReach, now: number): Promise<SourceOptions> {
	const teams = scope.teams === 'all' ? null : scope.teams;
	const named = scope.projects?.map(({ team, project }) => `${team}/${project}`) ?? [];
	const [machines, known, counts] = await Promise.all([
		query<PlaceRow>`SELECT e.id, e.name, t.name AS team, e.seen_at, ${CONNECTED} AS connected
			FROM edges e JOIN teams t ON t.id = e.team
			WHERE e.status = 'joined' AND (${teams}::int[] IS NULL OR e.team = ANY (${teams}) OR EXISTS (
				SELECT 1 FROM summaries s WHERE s.edge = e.id AND s.team || '/' || s.project = ANY (${named}::text[])
			)) ORDER BY e.name, e.id LIMIT ${literal(MAX_NAMES)}`,
		query<{ project: string }>`SELECT DISTINCT s.project FROM summaries s WHERE s.project IS NOT NULL
			AND ${scopeFilter(scope)} ORDER BY 1 LIMIT ${literal(MAX_NAMES)}`,
		countByEdge(query, scope, now),
	]);
	return {
		teams: [...new Set(machines.map(({ team }) => team))].sort(),
		projects: known.map(({ project }) => project),
		machines: machines.map(({ id, name, team, connected, seen_at }) => {
			const { running = 0, waiting = 0, denied = 0 } = counts.get(id) ?? {};
			return { name, team, connected, seenAt: seen_at?.toISOString() ?? null, running, waiting, denied };
		}),
	};
}
