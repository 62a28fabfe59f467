import type { Ask } from '../database/database.ts';
import { dayOf } from '../timelines/session-place.ts';
import { COLD, coldValues } from './pack-cold-sessions.ts';

/** The jobs of a hub, which any replica does for all. */
export const JOBS = ['partitions', 'pack', 'drop'] as const;
export type JobName = (typeof JOBS)[number];

/** How a hub stands with what is done beside writing. */
export interface JobsState {
	/** For how many days without a hole after today there are partitions; -1 where today has none. */
	daysAhead: number;
	/** Rolls that are cold and not packed. */
	debt: number;
	/** When each job was done last, and what went wrong then. */
	jobs: { name: JobName; ranAt: Date | null; error: string | null }[];
}

/** Reads it from the database: what other replicas did counts, too. */
export async function readJobsState(ask: Ask, nowMs: number): Promise<JobsState> {
	const today = dayOf(nowMs);
	const [days, [cold], ran] = await Promise.all([
		ask<{ day: number }>(
			`SELECT d AS day FROM generate_series($1::int, $1::int + 31) AS d WHERE to_regclass('views_' || d) IS NOT NULL ORDER BY 1`,
			[today],
		),
		ask<{ count: number }>(`SELECT count(*) ${COLD}`, coldValues(nowMs)),
		ask<{ name: JobName; ran_at: Date | null; error: string | null }>('SELECT name, ran_at, error FROM jobs'),
	]);
	const byName = new Map(ran.map((job) => [job.name, job]));
	const hole = days.findIndex(({ day }, at) => day !== today + at);
	return {
		daysAhead: (hole === -1 ? days.length : hole) - 1,
		debt: cold?.count ?? 0,
		jobs: JOBS.map((name) => {
			const { ran_at: ranAt = null, error = null } = byName.get(name) ?? {};
			return { name, ranAt, error };
		}),
	};
}
