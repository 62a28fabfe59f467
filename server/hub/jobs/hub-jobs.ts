import { randomUUID } from 'node:crypto';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask, HubDatabase } from '../database/database.ts';
import { createArchives } from '../timelines/archive-reads.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { dayOf, makeDaysAhead } from '../timelines/session-place.ts';
import { dropPartitions } from './drop-partitions.ts';
import { JOBS, type JobName, reasonOf } from './jobs-state.ts';
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

/** Whoever is at a job and says nothing for so long is taken to be gone. */
const LEASE_MS = 60_000;

/** What a job is given: ends what it does when somebody else may have begun it. */
type Job = (signal: AbortSignal) => Promise<void>;

/**
 * Does a job unless another replica is at it, or was within `everyMs`: one row a job says who is, by the database's clock.
 * Whoever is stopped in the middle, or cannot reach the database, loses it after a minute; a job is written so that two at
 * it do no harm. What it throws stands in its row and is given back.
 */
export async function doAlone(
	ask: Ask,
	{ name, holder, everyMs, leaseMs = LEASE_MS }: { name: string; holder: string; everyMs: number; leaseMs?: number },
	job: Job,
): Promise<{ done: boolean; error?: unknown }> {
	const taken = await ask(
		`INSERT INTO jobs (name, holder, until) VALUES ($1, $2, now() + make_interval(secs => $3))
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE jobs.until <= now() AND (jobs.ran_at IS NULL OR jobs.ran_at <= now() - make_interval(secs => $4)) RETURNING name`,
		[name, holder, leaseMs / 1000, everyMs / 1000],
	);
	if (taken.length === 0) return { done: false };
	const lost = new AbortController();
	const renew = setInterval(() => {
		ask(
			`UPDATE jobs SET until = now() + make_interval(secs => $3) WHERE name = $1 AND holder = $2 AND until > now() RETURNING name`,
			[name, holder, leaseMs / 1000],
		).then(
			(kept) => kept.length === 0 && lost.abort(),
			// Not reached: the next time tells, or the lease runs out.
			() => undefined,
		);
	}, leaseMs / 3).unref();
	let error: unknown;
	try {
		await job(lost.signal);
	} catch (thrown) {
		error = thrown;
	} finally {
		clearInterval(renew);
	}
	await ask('UPDATE jobs SET until = now(), ran_at = now(), error = $3 WHERE name = $1 AND holder = $2', [
		name,
		holder,
		error === undefined ? null : reasonOf(error),
	]);
	return error === undefined ? { done: true } : { done: true, error };
}
