import type { Places } from '#lib/contract/http.ts';
import type { HubScope } from '../store/hub-store.ts';
import type { Ask } from './database.ts';
import { IN_SCOPE, scopeValues } from './hub-reads.ts';

/** So many of each are offered; whoever has more looks by words. */
const MOST = 500;

/** The teams and machines of a hub, and the projects of what they sent, as far as somebody may read them. */
export async function readPlaces(ask: Ask, scope: HubScope): Promise<Places> {
	const values = scopeValues(scope);
	const [machines, known] = await Promise.all([
		ask<{ name: string; team: string; seen_at: Date | null }>(
			`SELECT e.name, t.name AS team, e.seen_at FROM edges e JOIN teams t ON t.id = e.team
			WHERE e.status = 'joined' AND ($1::int[] IS NULL OR e.team = ANY ($1) OR EXISTS (
				SELECT 1 FROM summaries s WHERE s.edge = e.id AND s.team || '/' || s.project = ANY ($2::text[])
			)) ORDER BY e.name, e.id LIMIT ${MOST}`,
			values,
		),
		ask<{ project: string }>(
			`SELECT DISTINCT s.project FROM summaries s WHERE s.project IS NOT NULL AND ${IN_SCOPE} ORDER BY 1 LIMIT ${MOST}`,
			values,
		),
	]);
	return {
		teams: [...new Set(machines.map(({ team }) => team))].sort(),
		projects: known.map(({ project }) => project),
		machines: machines.map(({ name, team, seen_at }) => ({ name, team, seenAt: seen_at?.toISOString() ?? null })),
	};
}
