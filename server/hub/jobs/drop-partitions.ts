import pg from 'pg';
import type { Ask } from '../database/database.ts';
import { dayOf } from '../timelines/session-place.ts';

const PARENTS = ['events', 'rows', 'ledger', 'views'] as const;
/** Of younger ones somebody may still be at making a session in them. */
const YOUNGEST_DAYS = 2;
/** For how long somebody who reads may keep a partition from being detached; then it is tried again another time. */
const PATIENCE_MS = 60_000;

/** Days (since 1970) that have a table still, in their order: attached, or left of a drop that was interrupted. */
async function daysThere(ask: Ask): Promise<number[]> {
	const found = await ask<{ day: number }>(
		`SELECT DISTINCT substring(relname FROM '_([0-9]+)$')::int AS day FROM pg_class
		WHERE relkind = 'r' AND relname ~ '^(events|rows|ledger|views)_[0-9]+$'
		AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass) ORDER BY 1`,
	);
	return found.map(({ day }) => day);
}

/**
 * Drops the partitions of days of which everything is archived. Each is detached first, beside those who read and write
 * others (HUB 3); what was interrupted is finished. A connection of its own: this cannot be done in a transaction, and waits
 * longer than a statement may.
 */
export async function dropPartitions(
	url: string,
	{ now, signal, patienceMs = PATIENCE_MS }: { now: () => number; signal: AbortSignal; patienceMs?: number },
): Promise<void> {
	const client = new pg.Client({ connectionString: url, application_name: 'signalbox hub, partitions' });
	client.on('error', () => undefined);
	await client.connect();
	// What it waits for then ends by itself, and is finished the next time.
	const leave = () => void client.end();
	signal.addEventListener('abort', leave);
	const ask: Ask = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
		(await client.query<Row>(text, [...values])).rows;
	try {
		await ask(`SET statement_timeout = ${patienceMs}`);
		await finishDetached(ask);
		const last = dayOf(now()) - YOUNGEST_DAYS;
		const used = await ask<{ part: number }>('SELECT DISTINCT part FROM sessions WHERE archived_at IS NULL');
		const inUse = new Set(used.map(({ part }) => part));
		for (const day of await daysThere(ask)) {
			if (day > last || signal.aborted) break;
			if (!inUse.has(day)) await dropDay(ask, day);
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		signal.removeEventListener('abort', leave);
		await client.end();
	}
}

async function dropDay(ask: Ask, day: number): Promise<void> {
	for (const parent of PARENTS) {
		const child = `${parent}_${day}`;
		const [found] = await ask<{ attached: boolean | null }>(
			`SELECT (SELECT true FROM pg_inherits WHERE inhrelid = c.oid) AS attached FROM pg_class c WHERE c.oid = to_regclass($1)`,
			[child],
		);
		if (found?.attached) await ask(`ALTER TABLE ${parent} DETACH PARTITION ${child} CONCURRENTLY`);
		if (found) await ask(`DROP TABLE ${child}`);
	}
}

/** What was interrupted: while one partition of a table waits to be detached no other can be. */
async function finishDetached(ask: Ask): Promise<void> {
	const pending = await ask<{ parent: string; child: string }>(
		`SELECT inhparent::regclass::text AS parent, inhrelid::regclass::text AS child FROM pg_inherits
		WHERE inhdetachpending AND inhparent = ANY ($1::regclass[])`,
		[PARENTS],
	);
	for (const { parent, child } of pending) await ask(`ALTER TABLE ${parent} DETACH PARTITION ${child} FINALIZE`);
}
