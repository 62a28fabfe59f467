import type { HubSession } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';

export const SESSION = `s.key, s.part, s.edge, s.session_id AS "sessionId", s.gen, s.off AS "offset", s.tail_digest AS "tailDigest",
	s.seq, s.epoch, s.fold, s.base, s.base_ts AS "baseTs", s.rolled, s.archived_at, s.archive, s.archive_hash`;

/** A session, or a former roll of it, with where its events lie. */
export interface PlacedSession extends HubSession {
	/** The time of the event before its first one. */
	baseTs: string | undefined;
	rolled: boolean;
	/** Undefined while its events are in the database. */
	archived: Archived | undefined;
}

export interface Archived {
	at: Date;
	/** Undefined if nothing of it was stored. */
	stored: { name: string; hash: string } | undefined;
}

export interface SessionLine extends Omit<PlacedSession, 'archived' | 'baseTs'> {
	baseTs: string | null;
	archived_at: Date | null;
	archive: string | null;
	archive_hash: string | null;
}

export function sessionOf(line: SessionLine): PlacedSession {
	const { baseTs, archived_at: at, archive: name, archive_hash: hash, ...session } = line;
	const stored = name === null || hash === null ? undefined : { name, hash };
	return { ...session, baseTs: baseTs ?? undefined, archived: at === null ? undefined : { at, stored } };
}

const DAY_MS = 86_400_000;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

const DAYS_AHEAD = 7;

export async function makeDaysAhead(ask: Ask, today: number): Promise<void> {
	for (let day = today; day <= today + DAYS_AHEAD; day += 1) await ask('SELECT make_partitions($1)', [day]);
}
