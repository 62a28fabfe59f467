import { randomUUID } from 'node:crypto';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import type { HubDatabase, Query } from '../database/database.ts';
import { createArchives } from '../timelines/archives.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { dayOf, makePartitionsAhead } from '../timelines/session-row.ts';
import { JOBS, type JobName, reasonOf } from './jobs-state.ts';
import { dropPartitions, packColdSessions } from './retire-sessions.ts';

const CHECK_MS = 60_000;
const EVERY_MS = 10 * 60_000;

export interface HubJobsOptions {
	databaseUrl: string;
	database: HubDatabase;
	store: ObjectStore | undefined;
	fold?: number;
	now: () => number;
	log: Log;
}

export function startHubJobs({ databaseUrl, database, store, fold, now, log }: HubJobsOptions) {
	const archives = createArchives(store);
	const holder = randomUUID();
	const ending = new AbortController();
	const work: Record<JobName, (signal: AbortSignal) => Promise<void>> = {
		partitions: () => makePartitionsAhead(database.query, dayOf(now())),
		pack: (signal) =>
			packColdSessions(
				{ database, archives, now, ...(fold !== undefined && { fold }), ...(store && { store }) },
				signal,
			),
		drop: (signal) => dropPartitions(databaseUrl, { now, signal }),
	};
	const failed = (error: unknown) => log.warn('hub: its jobs could not be looked at', { reason: reasonOf(error) });

	async function runDueJobs() {
		for (const name of JOBS) {
			if (ending.signal.aborted) return;
			const job = (lost: AbortSignal) => work[name](AbortSignal.any([lost, ending.signal]));
			const { error } = await doAlone(database.query, { name, holder, everyMs: EVERY_MS }, job);
			if (error !== undefined)
				log.warn(`hub: the job "${name}" failed, and is tried again`, { reason: reasonOf(error) });
		}
	}

	let current = runDueJobs().catch(failed);
	const stop = repeat(CHECK_MS, () => (current = current.then(runDueJobs).catch(failed)), failed);
	return {
		settled: () => current,
		async stop() {
			stop();
			ending.abort();
			await current;
		},
	};
}

const LEASE_MS = 60_000;

type Job = (signal: AbortSignal) => Promise<void>;

/**
 * Says which replica runs a job, by a row and the database's clock; a dead one loses it after a minute. Jobs tolerate two runs at
 * once.
 */
export async function doAlone(
	query: Query,
	{ name, holder, everyMs, leaseMs = LEASE_MS }: { name: string; holder: string; everyMs: number; leaseMs?: number },
	job: Job,
): Promise<{ done: boolean; error?: unknown }> {
	const taken =
		await query`INSERT INTO jobs (name, holder, until) VALUES (${name}, ${holder}, now() + make_interval(secs
		=> ${leaseMs / 1000})) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE jobs.until <= now() AND (jobs.ran_at IS NULL OR jobs.ran_at <= now() - make_interval(secs =>
		${everyMs / 1000})) RETURNING name`;
	if (taken.length === 0) return { done: false };
	const lost = new AbortController();
	const renew = setInterval(() => {
		query`UPDATE jobs SET until = now() + make_interval(secs => ${leaseMs / 1000}) WHERE name = ${name}
			AND holder = ${holder} AND until > now() RETURNING name`.then(
			(kept) => kept.length === 0 && lost.abort(),
			// The database was not reached: the next renewal finds out, or the lease expires.
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
	await query`UPDATE jobs SET until = now(), ran_at = now(), error = ${error === undefined ? null : reasonOf(error)}
		WHERE name = ${name} AND holder = ${holder}`;
	return error === undefined ? { done: true } : { done: true, error };
}
