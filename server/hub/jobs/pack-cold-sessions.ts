import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ask } from '../database/database.ts';
import { FOLD } from '../timelines/load-session.ts';
import { ObjectStoreError } from '../timelines/object-store.ts';
import { type PackParts, packSession } from '../timelines/pack-session.ts';
import { dayOf } from '../timelines/session-place.ts';

const AT_ONCE = 100;

/**
 * Which rolls are cold: born and last written before their team's days. `$1` is today, `$2` now in seconds. What a newer
 * program has written is that one's to pack.
 */
export const COLD = `FROM sessions s JOIN teams t ON t.id = s.team WHERE s.archived_at IS NULL
	AND s.part <= $1::int - t.keep_days AND s.updated < to_timestamp($2) - make_interval(days => t.keep_days)`;
export const coldValues = (nowMs: number) => [dayOf(nowMs), nowMs / 1000];

/**
 * Packs every cold roll into the object store, the oldest first. Where a hub has none, only teams that keep nothing let
 * theirs go; without an object store nothing else is ever touched. One that fails keeps no other; rejects with the first
 * reason at the end, and at once where the store is away.
 */
export async function packColdSessions(
	parts: Omit<PackParts, 'folder' | 'store'> & Partial<Pick<PackParts, 'store'>>,
	signal: AbortSignal,
): Promise<void> {
	const { database, store, fold = FOLD, now } = parts;
	await letGo(database.ask, now(), store === undefined);
	if (!store) return;
	const folder = await mkdtemp(join(tmpdir(), 'signalbox-pack-'));
	let failure: unknown;
	try {
		for (let [part, key] = [-1, -1]; !signal.aborted; ) {
			const cold = await database.ask<{ part: number; key: number }>(
				`SELECT s.part, s.key ${COLD} AND s.fold <= $3 AND (s.part, s.key) > ($4, $5) ORDER BY s.part, s.key LIMIT ${AT_ONCE}`,
				[...coldValues(now()), fold, part, key],
			);
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

/** Of sessions without any event there is nothing to pack; and what a team does not keep goes, with its line of the list, archived features as well. */
async function letGo(ask: Ask, nowMs: number, isStoreless: boolean): Promise<void> {
	await ask(
		`WITH gone AS (
			UPDATE sessions SET archived_at = now() WHERE key IN (
				SELECT s.key ${COLD} AND (s.seq = 0 OR ($3 AND t.keep_nothing)) ORDER BY s.key FOR UPDATE OF s)
			RETURNING key
		) DELETE FROM summaries m USING gone WHERE m.skey = gone.key`,
		[...coldValues(nowMs), isStoreless],
	);
	// The digest stays, so that their machines do not tell of them again.
	if (!isStoreless) return;
	await ask(
		`UPDATE features f SET record = NULL, sheet = NULL FROM teams t WHERE t.id = f.team AND t.keep_nothing
		AND f.record IS NOT NULL AND f.updated < to_timestamp($1) - make_interval(days => t.keep_days)`,
		[nowMs / 1000],
	);
}
