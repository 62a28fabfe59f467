import { openHubDatabase } from '../database/database.ts';
import { readJobsState } from '../jobs/jobs-state.ts';
import { reasonOf } from '../jobs/lease.ts';
import type { ObjectStore } from '../timelines/object-store.ts';

/** Fewer days than these say that nobody makes partitions. */
const FEW_DAYS = 3;

/** What is wrong with a hub's partitions, archives and jobs, a line each, with what to do; and what is only to be known. */
export async function checkArchives(
	url: string,
	store: ObjectStore | undefined,
	now = Date.now(),
): Promise<{ problems: string[]; notes: string[] }> {
	const database = openHubDatabase(url, () => undefined);
	try {
		const problems: string[] = [];
		const notes: string[] = [];
		const { daysAhead, debt, jobs } = await readJobsState(database.ask, now);
		const hasRun = jobs.some(({ ranAt }) => ranAt !== null);
		if (hasRun && daysAhead < FEW_DAYS)
			problems.push(`There are partitions for ${Math.max(0, daysAhead)} days to come. Start a replica: it makes them.`);
		for (const { name, error } of jobs) if (error !== null) problems.push(`The job "${name}" failed: ${error}`);
		const away = await store?.check().then(() => undefined, reasonOf);
		if (away !== undefined)
			problems.push(`${away}. Look at SIGNALBOX_OBJECTS_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket.`);
		const stored = await database.ask('SELECT 1 FROM sessions WHERE archive IS NOT NULL LIMIT 1');
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
