import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubReach } from '#lib/hub/may.ts';
import type { HubSession } from '../../timeline/store/hub-store.ts';
import { first, type Query, sql } from '../database/database.ts';

/** Whether somebody with this scope may read what the row `s` is about. */
export function scopeFilter({ teams, projects = [] }: HubReach) {
	const ids = teams === 'all' ? null : teams;
	const named = projects.map(({ team, project }) => `${team}/${project}`);
	return sql`(${ids}::int[] IS NULL OR s.team = ANY (${ids}) OR s.team || '/' || s.project = ANY (${named}::text[]))`;
}

export const SESSION_COLUMNS = sql`s.key, s.part, s.edge, s.session_id AS "sessionId", s.gen, s.off AS "offset",
	s.tail_digest AS "tailDigest", s.seq, s.epoch, s.fold, s.base, s.base_ts AS "baseTs", s.rolled, s.archived_at, s.archive,
	s.archive_hash`;

export interface SessionRow extends HubSession {
	baseTs: string | null;
	rolled: boolean;
	archived_at: Date | null;
	archive: string | null;
	archive_hash: string | null;
}

export interface StoredSession extends HubSession {
	baseTs: string | undefined;
	rolled: boolean;
	archived: Archived | undefined;
}

export interface Archived {
	at: Date;
	stored: { name: string; hash: string } | undefined;
}

export function storedSession(line: SessionRow): StoredSession {
	const { baseTs, archived_at: at, archive: name, archive_hash: hash, ...same } = line;
	const stored = name === null || hash === null ? undefined : { name, hash };
	return { ...same, baseTs: baseTs ?? undefined, archived: at === null ? undefined : { at, stored } };
}

export const readMachine = (query: Query, edge: number): Promise<Machine | undefined> =>
	first(query<Machine>`SELECT e.name, t.name AS team, e.level, e.grants FROM edges e JOIN teams t ON t.id = e.team
		WHERE e.id = ${edge}`);

const DAY_MS = 86_400_000;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

const DAYS_AHEAD = 7;

export async function makePartitionsAhead(query: Query, today: number): Promise<void> {
	for (let day = today; day <= today + DAYS_AHEAD; day += 1) await query`SELECT make_partitions(${day})`;
}
