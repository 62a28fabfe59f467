import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import type { HubCheckpoint, HubSession } from '../../timeline/store/hub-store.ts';
import { type Query, sql } from '../database/database.ts';
import { SUMMARY_COLUMNS } from './append-statement.ts';
import type { Archives, SegmentReads } from './archives.ts';
import { SESSION_COLUMNS, type SessionRow, type StoredSession, storedSession } from './session-row.ts';

const nothing: SegmentReads = {
	events: async () => [],
	rows: async () => [],
	row: async () => undefined,
	times: async () => new Map(),
	known: async () => [],
};

export async function openRoll(query: Query, roll: StoredSession, archives: Archives): Promise<SegmentReads> {
	if (!roll.archived) return databaseReads(query, roll);
	const { stored } = roll.archived;
	return stored ? archives.open(stored) : nothing;
}

export const AFTER_NEWEST = 2_147_483_647;

/** Every query names its partition: without it, it costs a hundred times more. */
export function databaseReads(query: Query, { part, key }: Pick<StoredSession, 'part' | 'key'>): SegmentReads {
	return {
		async events({ after, limit, row }) {
			const ofRow = row === undefined ? sql`` : sql`AND row_key = ${row}`;
			const found = await query<{ json: string }>`SELECT json FROM events WHERE part = ${part} AND skey = ${key}
				AND seq > ${after} ${ofRow} ORDER BY seq LIMIT ${limit}`;
			return found.map(({ json }) => JSON.parse(json) as IndexedEvent);
		},
		async rows({ after, before, limit, forward }) {
			const found = await query<{ json: string }>`SELECT json FROM rows WHERE part = ${part} AND skey = ${key}
				AND seq > ${after} AND seq < ${before} ORDER BY seq ${forward ? sql`ASC` : sql`DESC`} LIMIT ${limit}`;
			const rows = found.map(({ json }) => JSON.parse(json) as Row);
			return forward ? rows : rows.reverse();
		},
		async row(name) {
			const [found] = await query<{ json: string }>`SELECT json FROM rows WHERE part = ${part} AND skey = ${key}
				AND key = ${name}`;
			return found && (JSON.parse(found.json) as Row);
		},
		async times(seqs) {
			const found = await query<{ seq: number; json: string }>`SELECT seq, json FROM events WHERE part = ${part}
				AND skey = ${key} AND seq = ANY (${seqs})`;
			return new Map(found.map(({ seq, json }) => [seq, Date.parse((JSON.parse(json) as IndexedEvent).ts)]));
		},
		async known(ids) {
			const found = await query<{ id: string }>`SELECT id FROM events WHERE part = ${part} AND skey = ${key}
				AND id = ANY (${ids})`;
			return found.map(({ id }) => id);
		},
	};
}

/** Rolls of one session read as one, oldest first. A row in two rolls counts as in the newest. */
export function createRolledReads(
	rolls: readonly StoredSession[],
	open: (roll: StoredSession) => Promise<SegmentReads>,
) {
	const newestFirst = rolls.toReversed();

	return {
		async events({ after, limit, row }: { after: number; limit: number; row?: string }): Promise<IndexedEvent[]> {
			const found: IndexedEvent[] = [];
			for (const roll of rolls) {
				if (roll.seq <= after) continue;
				const of = row === undefined ? {} : { row };
				found.push(...(await (await open(roll)).events({ after, limit: limit - found.length, ...of })));
				if (found.length >= limit) break;
			}
			return found;
		},
		async rows({ before, after, limit }: { before?: number; after?: number; limit: number }): Promise<Row[]> {
			const forward = after !== undefined && before === undefined;
			const range = { after: after ?? -1, before: before ?? AFTER_NEWEST, limit, forward };
			const rows = new Map<string, Row>();
			for (const roll of newestFirst) {
				// Rows of older rolls have lower seqs.
				const later = [...rows.values()].filter((row) => row.seq > roll.seq).length;
				if (roll.seq <= range.after || (!forward && later >= limit)) break;
				for (const row of await (await open(roll)).rows(range)) if (!rows.has(row.key)) rows.set(row.key, row);
			}
			const sorted = [...rows.values()].sort((one, other) => one.seq - other.seq);
			return forward ? sorted.slice(0, limit) : sorted.slice(-limit);
		},
		async row(key: string): Promise<Row | undefined> {
			for (const roll of newestFirst) {
				const row = await (await open(roll)).row(key);
				if (row) return row;
			}
			return undefined;
		},
		async times(seqs: readonly number[]): Promise<(number | undefined)[]> {
			const times = new Map<number, number>();
			for (const roll of rolls) {
				const own = seqs.filter((seq) => seq > roll.base && seq <= roll.seq);
				if (own.length > 0) for (const [seq, at] of await (await open(roll)).times(own)) times.set(seq, at);
			}
			return seqs.map((seq) => times.get(seq));
		},
		async known(ids: readonly string[]): Promise<Set<string>> {
			const found = await Promise.all(rolls.map(async (roll) => (await open(roll)).known(ids)));
			return new Set(found.flat());
		},
	};
}

export interface RollBounds {
	days: number;
	events: number;
}

/** A partition can be dropped only when every session that began in it has ended or moved on. */
export const ROLL: RollBounds = { days: 14, events: 200_000 };

export const isDue = ({ part, seq, base }: HubSession, today: number, { days, events }: RollBounds): boolean =>
	today - part >= days || seq - base >= events;

interface RollTarget {
	part: number;
	fold: number;
}

/** Fenced by the session's offset: a writer with another offset or an old number changes nothing. */
export async function rollSession(
	query: Query,
	{ key, offset }: HubSession,
	{ view, lastTs, ...to }: Pick<HubCheckpoint, 'lastTs'> & Pick<Required<HubCheckpoint>, 'view'> & RollTarget,
): Promise<StoredSession | undefined> {
	const [line] = await query<SessionRow>`WITH was AS (
		UPDATE sessions s SET rolled = true WHERE s.key = ${key} AND s.off = ${offset} AND s.fold <= ${to.fold} AND NOT s.rolled
			AND NOT EXISTS (SELECT 1 FROM sessions n WHERE n.edge = s.edge AND n.session_id = s.session_id AND n.gen > s.gen)
		RETURNING s.*
	), made AS (
		INSERT INTO sessions (edge, session_id, gen, roll, team, project, part, off, tail_digest, seq, base, base_ts, fold, epoch)
		SELECT edge, session_id, gen, roll + 1, team, project, ${to.part}, off, tail_digest, seq, seq, ${lastTs ?? null}, fold,
			epoch FROM was RETURNING *
	), kept AS (
		INSERT INTO views (part, skey, seq, json) SELECT part, key, seq, ${JSON.stringify(view)} FROM made
	), listed AS (
		DELETE FROM summaries m USING was WHERE m.skey = was.key RETURNING m.*
	), line AS (
		INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS})
		SELECT k.key, edge, team, ${SUMMARY_COLUMNS} FROM listed CROSS JOIN (SELECT key FROM made) k
	) SELECT ${SESSION_COLUMNS} FROM made s`;
	return line && storedSession(line);
}

/** A packed session continues in a new roll, with view and ids of its archive. */
export async function rollOnFromArchive(
	query: Query,
	session: StoredSession,
	archives: Archives,
	to: RollTarget,
): Promise<void> {
	const { key, sessionId, seq, archived } = session;
	if (!archived?.stored) {
		await rollSession(query, session, { view: { ...emptyView(sessionId), seq }, lastTs: undefined, ...to });
		return;
	}
	const archive = await archives.open(archived.stored);
	const ids = await archive.ids();
	await query`INSERT INTO packed_ids (skey, ids) VALUES (${key}, ${ids}) ON CONFLICT DO NOTHING`;
	const lastTs = archive.manifest.lastTs ?? undefined;
	await rollSession(query, session, { view: await archive.view(), lastTs, ...to });
}
