import type { Ask } from '../database/database.ts';

/** Partitions are there so many days before anything is born in them (HUB 3). */
const DAYS_AHEAD = 7;

/** Makes the partitions of today (days since 1970) and of the days that follow; those that are there stay as they are. */
export async function makeDaysAhead(ask: Ask, today: number): Promise<void> {
	for (let day = today; day <= today + DAYS_AHEAD; day += 1) await ask('SELECT make_partitions($1)', [day]);
}
