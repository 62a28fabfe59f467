import type { HubSession } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';

/** The columns of a session that everybody reads, of the table `s`. */
export const SESSION =
	's.key, s.part, s.edge, s.session_id, s.gen, s.off, s.tail_digest, s.seq, s.epoch, s.fold, s.base, s.base_ts, s.rolled, s.archived_at, s.archive, s.archive_hash';

/** A line of `sessions`, as Postgres gives it. */
export interface SessionLine {
	key: number;
	part: number;
	edge: number;
	session_id: string;
	gen: number;
	off: number;
	tail_digest: string;
	seq: number;
	epoch: string;
	fold: number;
	base: number;
	base_ts: string | null;
	rolled: boolean;
	archived_at: Date | null;
	archive: string | null;
	archive_hash: string | null;
}

/** A session, or a former roll of it, with what is known of where its events lie. */
export interface PlacedSession extends HubSession {
	/** The time of the event before its first one. */
	baseTs: string | undefined;
	/** It goes on in the next roll. */
	rolled: boolean;
	/** Its events are in the object store; undefined while they are in the database. */
	archived: Archived | undefined;
}

/** Where a session is that is not in the database any more. */
export interface Archived {
	at: Date;
	/** Undefined where nothing of it was kept. */
	stored: { name: string; hash: string } | undefined;
}

/** The session of a line. */
export function sessionOf(line: SessionLine): PlacedSession {
	const { session_id, tail_digest, off, base_ts, archived_at: at, archive: name, archive_hash: hash, ...same } = line;
	const stored = name === null || hash === null ? undefined : { name, hash };
	return {
		...same,
		sessionId: session_id,
		tailDigest: tail_digest,
		offset: off,
		baseTs: base_ts ?? undefined,
		archived: at === null ? undefined : { at, stored },
	};
}

const DAY_MS = 86_400_000;

/** The day of an instant (ms), in days since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Partitions are there so many days before anything is born in them (HUB 3). */
const DAYS_AHEAD = 7;

/** Makes the partitions of today (days since 1970) and of the days that follow; those that are there stay as they are. */
export async function makeDaysAhead(ask: Ask, today: number): Promise<void> {
	for (let day = today; day <= today + DAYS_AHEAD; day += 1) await ask('SELECT make_partitions($1)', [day]);
}
