import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { literal, type Query, queryBy, sql } from '../database/database.ts';
import { FOLD } from '../timelines/load-session.ts';
import { ObjectStoreError } from '../timelines/object-store.ts';
import { type PackParts, packSession } from '../timelines/pack-session.ts';
import { dayOf } from '../timelines/session-row.ts';

const AT_ONCE = 100;

/** Cold: born and last written before their team's days. */
export const coldAt = (nowMs: number) => sql`FROM sessions s JOIN teams t ON t.id = s.team WHERE s.archived_at IS NULL
	AND s.part <= ${dayOf(nowMs)}::int - t.keep_days
	AND s.updated < to_timestamp(${nowMs / 1000}) - make_interval(days => t.keep_days)`;

/** Without an object store only teams that keep nothing lose sessions. One failure stops no other session. */
export async function packColdSessions(
	parts: Omit<PackParts, 'folder' | 'store'> & Partial<Pick<PackParts, 'store'>>,
	signal: AbortSignal,
): Promise<void> {
	const { database, store, fold = FOLD, now } = parts;
	await dropSessions(database.query, now(), store === undefined);
	if (!store) return;
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-pack-'));
	let failure: unknown;
	try {
		for (let [part, key] = [-1, -1]; !signal.aborted; ) {
			const cold = await database.query<{ part: number; key: number }>`SELECT s.part, s.key ${coldAt(now())}
				AND s.fold <= ${fold} AND (s.part, s.key) > (${part}, ${key}) ORDER BY s.part, s.key LIMIT ${literal(AT_ONCE)}`;
			for (const one of cold) {
				if (signal.aborted) break;
				try {
					await packSession({ ...parts, store, folder }, one.key);
				} catch (error) {
					if (error instanceof ObjectStoreError) throw error;
					failure ??= error;
				}
			}
			const last = cold.at(-1);
			if (!last) break;
			[part, key] = [last.part, last.key];
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	if (failure !== undefined) throw failure;
}

/** Sessions without events, and those of teams that keep nothing. */
async function dropSessions(query: Query, nowMs: number, isStoreless: boolean): Promise<void> {
	await query`WITH gone AS (
			UPDATE sessions SET archived_at = now() WHERE key IN (
				SELECT s.key ${coldAt(nowMs)} AND (s.seq = 0 OR (${isStoreless} AND t.keep_nothing)) ORDER BY s.key FOR UPDATE OF s)
			RETURNING key
		) DELETE FROM summaries m USING gone WHERE m.skey = gone.key`;
	// The digest stays, so that machines do not send them again.
	if (!isStoreless) return;
	await query`UPDATE features f SET record = NULL, sheet = NULL FROM teams t WHERE t.id = f.team AND t.keep_nothing
		AND f.record IS NOT NULL AND f.updated < to_timestamp(${nowMs / 1000}) - make_interval(days => t.keep_days)`;
}

const PARENTS = ['events', 'rows', 'ledger', 'views'] as const;
/** Sessions may still be created in a younger partition. */
const YOUNGEST_DAYS = 2;
const PATIENCE_MS = 60_000;

async function daysThere(query: Query): Promise<number[]> {
	const found = await query<{ day: number }>`SELECT DISTINCT substring(relname FROM '_([0-9]+)$')::int AS day
		FROM pg_class WHERE relkind = 'r' AND relname ~ '^(events|rows|ledger|views)_[0-9]+$'
		AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass) ORDER BY 1`;
	return found.map(({ day }) => day);
}

/** On a connection of its own: DETACH CONCURRENTLY needs one without a transaction, and may wait long. */
export async function dropPartitions(
	url: string,
	{ now, signal, patienceMs = PATIENCE_MS }: { now: () => number; signal: AbortSignal; patienceMs?: number },
): Promise<void> {
	const client = new pg.Client({ connectionString: url, application_name: 'signalbox hub, partitions' });
	client.on('error', () => undefined);
	await client.connect();
	// An interrupted DETACH is finished next time.
	const leave = () => void client.end();
	signal.addEventListener('abort', leave);
	const query = queryBy((text, values) => client.query(text, values));
	try {
		await query(`SET statement_timeout = ${patienceMs}`);
		await finishDetached(query);
		const last = dayOf(now()) - YOUNGEST_DAYS;
		const used = await query<{ part: number }>`SELECT DISTINCT part FROM sessions WHERE archived_at IS NULL`;
		const inUse = new Set(used.map(({ part }) => part));
		for (const day of await daysThere(query)) {
			if (day > last || signal.aborted) break;
			if (!inUse.has(day)) await dropDay(query, day);
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		signal.removeEventListener('abort', leave);
		await client.end();
	}
}

async function dropDay(query: Query, day: number): Promise<void> {
	for (const parent of PARENTS) {
		const child = `${parent}_${day}`;
		const [found] = await query<{ attached: boolean | null }>`SELECT (SELECT true FROM pg_inherits
			WHERE inhrelid = c.oid) AS attached FROM pg_class c WHERE c.oid = to_regclass(${child})`;
		if (found?.attached) await query(`ALTER TABLE ${parent} DETACH PARTITION ${child} CONCURRENTLY`);
		if (found) await query(`DROP TABLE ${child}`);
	}
}

/** While one partition waits to be detached, no other can be. */
async function finishDetached(query: Query): Promise<void> {
	const pending = await query<{ parent: string; child: string }>`SELECT inhparent::regclass::text AS parent,
		inhrelid::regclass::text AS child FROM pg_inherits WHERE inhdetachpending
		AND inhparent = ANY (${PARENTS}::regclass[])`;
	for (const { parent, child } of pending) await query(`ALTER TABLE ${parent} DETACH PARTITION ${child} FINALIZE`);
}
