import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import { DAY_MS } from '#lib/session/session-list.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';
import { dayOf, IN_SCOPE, scopeValues } from '../timelines/session-place.ts';

const MOST = 500;

const PART_DAYS = 15;

interface EdgeCounts {
	edge: number;
	running: number;
	waiting: number;
	denied: number;
}

async function countByEdge(ask: Ask, values: readonly unknown[], now: number): Promise<Map<number, EdgeCounts>> {
	const counted = await ask<EdgeCounts>(
		`SELECT edge, sum(running)::int AS running, sum(waiting)::int AS waiting, sum(denied)::int AS denied FROM (
			SELECT m.edge, count(*) FILTER (WHERE m.state = 'running') AS running,
				count(*) FILTER (WHERE m.state = 'waiting') AS waiting, 0 AS denied
			FROM summaries m JOIN sessions s ON s.key = m.skey
			WHERE m.state IN ('running', 'waiting') AND NOT m.hidden AND NOT s.rewritten AND ${IN_SCOPE} GROUP BY 1
			UNION ALL SELECT s.edge, 0, 0, count(*) FROM events e JOIN sessions s ON s.key = e.skey JOIN summaries m ON m.skey = s.key
			WHERE e.denied AND e.part > $3 AND e.at > now() - interval '1 day' AND m.last_ms > $4 AND ${IN_SCOPE} GROUP BY 1
		) AS parts GROUP BY edge`,
		[...values, dayOf(now) - PART_DAYS, now - DAY_MS],
	);
	return new Map(counted.map((line) => [line.edge, line]));
}

export async function readSourceOptions(ask: Ask, scope: HubScope, now: number): Promise<SourceOptions> {
	const values = scopeValues(scope);
	const [machines, known, counts] = await Promise.all([
		ask<{ id: number; name: string; team: string; seen_at: Date | null }>(
			`SELECT e.id, e.name, t.name AS team, e.seen_at FROM edges e JOIN teams t ON t.id = e.team
			WHERE e.status = 'joined' AND ($1::int[] IS NULL OR e.team = ANY ($1) OR EXISTS (
				SELECT 1 FROM summaries s WHERE s.edge = e.id AND s.team || '/' || s.project = ANY ($2::text[])
			)) ORDER BY e.name, e.id LIMIT ${MOST}`,
			values,
		),
		ask<{ project: string }>(
			`SELECT DISTINCT s.project FROM summaries s WHERE s.project IS NOT NULL AND ${IN_SCOPE} ORDER BY 1 LIMIT ${MOST}`,
			values,
		),
		countByEdge(ask, values, now),
	]);
	return {
		teams: [...new Set(machines.map(({ team }) => team))].sort(),
		projects: known.map(({ project }) => project),
		machines: machines.map(({ id, name, team, seen_at }) => {
			const { running = 0, waiting = 0, denied = 0 } = counts.get(id) ?? {};
			return { name, team, seenAt: seen_at?.toISOString() ?? null, running, waiting, denied };
		}),
	};
}
