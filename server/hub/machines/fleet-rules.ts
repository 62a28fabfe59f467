import type { Ask } from '../database/database.ts';

/** Which machines of a team's fleet codes wait for no admin: those with all of these labels. */
export interface FleetRule {
	id: number;
	teamId: number;
	team: string;
	labels: string[];
}

/**
 * Takes in the pending machines that a rule of their team fits, of all or this one; gives how many. Whoever adds a machine or
 * a rule asks for it afterwards, so that neither misses the other. In one order, so that two of them never wait for each
 * other in a circle.
 */
export async function takeInByRules(ask: Ask, edge: number | null = null): Promise<number> {
	const taken = await ask(
		`WITH w AS MATERIALIZED (SELECT e.id FROM edges e WHERE e.status = 'pending' AND ($1::int IS NULL OR e.id = $1)
			AND EXISTS (SELECT 1 FROM fleet_rules r WHERE r.team = e.team AND r.labels <@ e.labels)
			ORDER BY e.id FOR NO KEY UPDATE OF e)
		UPDATE edges e SET status = 'joined' FROM w WHERE e.id = w.id RETURNING e.id`,
		[edge],
	);
	return taken.length;
}

/** The rules by which a hub takes in machines of a fleet; their labels come with the code, never from the machine. */
export function createFleetRules(ask: Ask) {
	return {
		list: () =>
			ask<FleetRule>(
				'SELECT r.id, t.id AS "teamId", t.name AS team, r.labels FROM fleet_rules r JOIN teams t ON t.id = r.team ORDER BY t.name, r.id',
			),
		/**
		 * Makes a rule, or finds the one that says the same. Gives its number, and how many machines that waited it has taken in;
		 * undefined where there is no such team.
		 */
		async add(team: string, labels: readonly string[]): Promise<{ id: number; taken: number } | undefined> {
			const [made] = await ask<{ id: number }>(
				`INSERT INTO fleet_rules (team, labels) SELECT id, $2 FROM teams WHERE name = $1
				ON CONFLICT (team, labels) DO UPDATE SET labels = excluded.labels RETURNING id`,
				[team, [...new Set(labels)].sort()],
			);
			return made && { id: made.id, taken: await takeInByRules(ask) };
		},
		/** From now on it takes nobody in; says whether there was one. */
		async remove(id: number): Promise<boolean> {
			return (await ask('DELETE FROM fleet_rules WHERE id = $1 RETURNING id', [id])).length > 0;
		},
	};
}
