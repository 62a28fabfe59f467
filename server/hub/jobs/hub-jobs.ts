import { randomUUID } from 'node:crypto';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import type { HubDatabase } from '../database/database.ts';
import { createArchives } from '../timelines/archive-reads.ts';
import { makeDaysAhead } from '../timelines/make-days-ahead.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { dayOf } from '../timelines/session-place.ts';
import { dropPartitions } from './drop-partitions.ts';
import { JOBS, type JobName } from './jobs-state.ts';
import { doAlone, reasonOf } from './lease.ts';
import { packColdSessions } from './pack-cold-sessions.ts';

/** Each replica looks this often whether a job is due. */
const LOOK_MS = 60_000;
/** Between two times of one job, over all replicas. */
const EVERY_MS = 10 * 60_000;

export interface HubJobsOptions {
	databaseUrl: string;
	database: HubDatabase;
	/** Undefined where the hub has no object store: then nothing is packed. */
	store: ObjectStore | undefined;
	fold?: number;
	now: () => number;
	log: Log;
}

/** Does the jobs of a hub whenever one is due and no other replica is at it, beginning at once. */
export function startHubJobs({ databaseUrl, database, store, fold, now, log }: HubJobsOptions) {
	const archives = createArchives(store);
	const holder = randomUUID();
	const ending = new AbortController();
	const work: Record<JobName, (signal: AbortSignal) => Promise<void>> = {
		partitions: () => makeDaysAhead(database.ask, dayOf(now())),
		pack: (signal) =>
			packColdSessions(
				{ database, archives, now, ...(fold !== undefined && { fold }), ...(store && { store }) },
				signal,
			),
		drop: (signal) => dropPartitions(databaseUrl, { now, signal }),
	};
	const failed = (error: unknown) => log.warn('hub: its jobs could not be looked at', { reason: reasonOf(error) });

	async function look() {
		for (const name of JOBS) {
			if (ending.signal.aborted) return;
			const job = (lost: AbortSignal) => work[name](AbortSignal.any([lost, ending.signal]));
			const { error } = await doAlone(database.ask, { name, holder, everyMs: EVERY_MS }, job);
			if (error !== undefined)
				log.warn(`hub: the job "${name}" failed, and is tried again`, { reason: reasonOf(error) });
		}
	}

	let current = look().catch(failed);
	const stop = repeat(LOOK_MS, () => (current = current.then(look).catch(failed)), failed);
	return {
		/** Resolves when the jobs that were due have been done. */
		settled: () => current,
		/** Resolves when nothing is done any more. */
		async stop() {
			stop();
			ending.abort();
			await current;
		},
	};
}
