import type { Places } from '#lib/contract/http.ts';
import type { HubScope } from '../store/hub-store.ts';
import type { Ask } from './database.ts';

/** So many of each are offered; whoever has more looks by words. */
const MOST = 500;

/** The teams and machines of a hub, and the projects of what they sent. */
export async function readPlaces(ask: Ask, { teams, projects }: HubScope): Promise<Places> {
	const scope = [teams === 'all' ? null : [...teams]];
	const [machines, known] = await Promise.all([
		ask<{ name: string; team: string; seen_at: Date | null }>(
			`SELECT e.name, t.name AS team, e.seen_at FROM edges e JOIN teams t ON t.id = e.team
			WHERE e.status = 'joined' AND ($1::int[] IS NULL OR e.team = ANY ($1)) ORDER BY e.name, e.id LIMIT ${MOST}`,
			scope,
		),
		ask<{ project: string }>(
			`SELECT DISTINCT m.project FROM summaries m WHERE m.project IS NOT NULL AND ($1::int[] IS NULL OR m.team = ANY ($1))
			AND ($2::text[] IS NULL OR m.project = ANY ($2)) ORDER BY 1 LIMIT ${MOST}`,
			[...scope, projects ? [...projects] : null],
		),
	]);
	return {
		teams: [...new Set(machines.map(({ team }) => team))].sort(),
		projects: known.map(({ project }) => project),
		machines: machines.map(({ name, team, seen_at }) => ({ name, team, seenAt: seen_at?.toISOString() ?? null })),
	};
}
