import type { HubScope, HubSession } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';

/** `$1`: teams (null: all), `$2`: projects as '<team>/<project>'. */
export const IN_SCOPE = "($1::int[] IS NULL OR s.team = ANY ($1) OR s.team || '/' || s.project = ANY ($2::text[]))";
export const scopeValues = ({ teams, projects = [] }: HubScope) => [
	teams === 'all' ? null : [...teams],
	projects.map(({ team, project }) => `${team}/${project}`),
];

export const SESSION =
	's.key, s.part, s.edge, s.session_id, s.gen, s.off, s.tail_digest, s.seq, s.epoch, s.fold, s.base, s.base_ts, s.rolled, s.archived_at, s.archive, s.archive_hash';

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

export interface PlacedSession extends HubSession {
	baseTs: string | undefined;
	rolled: boolean;
	archived: Archived | undefined;
}

export interface Archived {
	at: Date;
	stored: { name: string; hash: string } | undefined;
}

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

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

const DAYS_AHEAD = 7;

export async function makeDaysAhead(ask: Ask, today: number): Promise<void> {
	for (let day = today; day <= today + DAYS_AHEAD; day += 1) await ask('SELECT make_partitions($1)', [day]);
}
