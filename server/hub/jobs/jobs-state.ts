import { isAny, openHubDatabase, type Query } from '../database/database.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { dayOf } from '../timelines/session-row.ts';
import { coldAt } from './retire-sessions.ts';

export const JOBS = ['partitions', 'pack', 'drop'] as const;
export type JobName = (typeof JOBS)[number];

export interface JobsState {
	/** -1 if today has none. */
	daysAhead: number;
	debt: number;
	jobs: { name: JobName; ranAt: Date | null; error: string | null }[];
}

export async function readJobsState(query: Query, nowMs: number): Promise<JobsState> {
	const today = dayOf(nowMs);
	const [days, [cold], ran] = await Promise.all([
		query<{ day: number }>`SELECT d AS day FROM generate_series(${today}::int, ${today}::int + 31) AS d
			WHERE to_regclass('views_' || d) IS NOT NULL ORDER BY 1`,
		query<{ count: number }>`SELECT count(*) ${coldAt(nowMs)}`,
		query<{ name: JobName; ran_at: Date | null; error: string | null }>`SELECT name, ran_at, error FROM jobs`,
	]);
	const byName = new Map(ran.map((job) => [job.name, job]));
	const hole = days.findIndex(({ day }, index) => day !== today + index);
	return {
		daysAhead: (hole === -1 ? days.length : hole) - 1,
		debt: cold?.count ?? 0,
		jobs: JOBS.map((name) => {
			const { ran_at: ranAt = null, error = null } = byName.get(name) ?? {};
			return { name, ranAt, error };
		}),
	};
}

const FEW_DAYS = 3;

/** For the hub's doctor: partitions, failed jobs, the object store. `notes` need no repair. */
export async function checkArchives(
	url: string,
	store: ObjectStore | undefined,
	now = Date.now(),
): Promise<{ problems: string[]; notes: string[] }> {
	const database = openHubDatabase(url, () => undefined);
	try {
		const problems: string[] = [];
		const notes: string[] = [];
		const { daysAhead, debt, jobs } = await readJobsState(database.query, now);
		const hasRun = jobs.some(({ ranAt }) => ranAt !== null);
		if (hasRun && daysAhead < FEW_DAYS)
			problems.push(`There are partitions for ${Math.max(0, daysAhead)} days to come. Start a replica: it makes them.`);
		for (const { name, error } of jobs) if (error !== null) problems.push(`The job "${name}" failed: ${error}`);
		const away = await store?.check().then(() => undefined, reasonOf);
		if (away !== undefined)
			problems.push(`${away}. Look at SIGNALBOX_OBJECTS_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket.`);
		const stored = await database.query`SELECT 1 FROM sessions WHERE archive IS NOT NULL LIMIT 1`;
		if (!store && stored.length > 0)
			problems.push('There are archived sessions, but SIGNALBOX_OBJECTS_URL is not set: their pages cannot be opened.');
		if (!store && debt > 0)
			notes.push(
				`${debt} sessions are older than their team keeps them, and stay: SIGNALBOX_OBJECTS_URL names no store to pack them into.`,
			);
		return { problems, notes };
	} finally {
		await database.close();
	}
}

export function reasonOf(error: unknown): string {
	if (typeof error === 'object' && error !== null && 'reason' in error) return String(error.reason);
	return error instanceof Error ? error.message : String(error);
}

export const MIN_DAYS = 3;
export const MAX_DAYS = 3650;

export interface TeamDays {
	team: string;
	days: number;
	drop: boolean;
}

export const listTeamDays = (query: Query): Promise<TeamDays[]> =>
	query<TeamDays>`SELECT name AS team, keep_days AS days, keep_nothing AS drop FROM teams ORDER BY name`;

/** False if there is no such team. */
export async function setTeamDays(query: Query, { team, days, drop }: TeamDays): Promise<boolean> {
	return isAny(query`UPDATE teams SET keep_days = ${days}, keep_nothing = ${drop} WHERE name = ${team}
		RETURNING id`);
}
