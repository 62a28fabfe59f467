import type { Ask } from '../database/database.ts';

/** Whoever is at a job and says nothing for so long is taken to be gone. */
const LEASE_MS = 60_000;

/** What a job is given: ends what it does when somebody else may have begun it. */
export type Job = (signal: AbortSignal) => Promise<void>;

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

/** Why something failed, for who runs the hub. */
export function reasonOf(error: unknown): string {
	if (typeof error === 'object' && error !== null && 'reason' in error) return String(error.reason);
	return error instanceof Error ? error.message : String(error);
}
