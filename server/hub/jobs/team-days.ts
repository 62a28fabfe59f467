import type { Ask } from '../database/database.ts';

/** Fewer days would pack what somebody is still at. */
export const LEAST_DAYS = 3;
export const MOST_DAYS = 3650;

/** How long a team's sessions stay in the database after their last line. */
export interface TeamDays {
	team: string;
	days: number;
	/** Where the hub has no object store, what is older goes for good. */
	drop: boolean;
}

/** Of every team. */
export const listTeamDays = (ask: Ask): Promise<TeamDays[]> =>
	ask<TeamDays>('SELECT name AS team, keep_days AS days, keep_nothing AS drop FROM teams ORDER BY name');

/** False where there is no such team. */
export async function setTeamDays(ask: Ask, { team, days, drop }: TeamDays): Promise<boolean> {
	const changed = await ask('UPDATE teams SET keep_days = $2, keep_nothing = $3 WHERE name = $1 RETURNING id', [
		team,
		days,
		drop,
	]);
	return changed.length > 0;
}
