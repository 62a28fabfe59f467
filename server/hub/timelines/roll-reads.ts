import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Ask } from '../database/database.ts';
import type { Archived, PlacedSession } from './session-place.ts';

const nothing: SegmentReads = {
	events: async () => [],
	rows: async () => [],
	row: async () => undefined,
	times: async () => new Map(),
	known: async () => [],
};

/** Where rolls are read that are not in the database any more. */
interface RollArchives {
	open(stored: NonNullable<Archived['stored']>): Promise<SegmentReads>;
}

/** One roll of a session, wherever it lies; of an archive nothing is read before something of it is asked for. */
export function rollReads(ask: Ask, roll: PlacedSession, archives: RollArchives): SegmentReads {
	if (!roll.archived) return databaseReads(ask, roll);
	const { stored } = roll.archived;
	if (!stored) return nothing;
	const open = () => archives.open(stored);
	return {
		events: async (range) => (await open()).events(range),
		rows: async (range) => (await open()).rows(range),
		row: async (key) => (await open()).row(key),
		times: async (seqs) => (await open()).times(seqs),
		known: async (ids) => (await open()).known(ids),
	};
}

/** Greater than any seq. */
export const NEWEST = 2_147_483_647;

/** What is asked about one roll of a session, wherever its events lie. */
export interface SegmentReads {
	/** Ascending by seq, `after` exclusive. */
	events(range: { after: number; limit: number; row?: string }): Promise<IndexedEvent[]>;
	/** Those with a seq between these two, exclusive: ascending, the first `limit` of them or the last. */
	rows(range: { after: number; before: number; limit: number; forward: boolean }): Promise<Row[]>;
	row(key: string): Promise<Row | undefined>;
	/** Instants (ms) of events by their seq. */
	times(seqs: readonly number[]): Promise<ReadonlyMap<number, number>>;
	/** Those of the event ids that are there. */
	known(ids: readonly string[]): Promise<string[]>;
}

/** A roll that lies in the database. Each question names its partition: without that it costs a hundred times more. */
export function databaseReads(ask: Ask, { part, key }: Pick<PlacedSession, 'part' | 'key'>): SegmentReads {
	return {
		async events({ after, limit, row }) {
			const start = 'SELECT json FROM events WHERE part = $1 AND skey = $2 AND seq > $3';
			const found =
				row === undefined
					? await ask<{ json: string }>(`${start} ORDER BY seq LIMIT $4`, [part, key, after, limit])
					: await ask<{ json: string }>(`${start} AND row_key = $5 ORDER BY seq LIMIT $4`, [
							part,
							key,
							after,
							limit,
							row,
						]);
			return found.map(({ json }) => JSON.parse(json) as IndexedEvent);
		},
		async rows({ after, before, limit, forward }) {
			const found = await ask<{ json: string }>(
				`SELECT json FROM rows WHERE part = $1 AND skey = $2 AND seq > $3 AND seq < $4
				ORDER BY seq ${forward ? 'ASC' : 'DESC'} LIMIT $5`,
				[part, key, after, before, limit],
			);
			const rows = found.map(({ json }) => JSON.parse(json) as Row);
			return forward ? rows : rows.reverse();
		},
		async row(name) {
			const [found] = await ask<{ json: string }>('SELECT json FROM rows WHERE part = $1 AND skey = $2 AND key = $3', [
				part,
				key,
				name,
			]);
			return found && (JSON.parse(found.json) as Row);
		},
		async times(seqs) {
			const found = await ask<{ seq: number; json: string }>(
				'SELECT seq, json FROM events WHERE part = $1 AND skey = $2 AND seq = ANY ($3)',
				[part, key, seqs],
			);
			return new Map(found.map(({ seq, json }) => [seq, Date.parse((JSON.parse(json) as IndexedEvent).ts)]));
		},
		async known(ids) {
			const found = await ask<{ id: string }>('SELECT id FROM events WHERE part = $1 AND skey = $2 AND id = ANY ($3)', [
				part,
				key,
				ids,
			]);
			return found.map(({ id }) => id);
		},
	};
}

/** A roll with the seqs of its own events: after `base`, up to `seq`. */
interface Segment {
	base: number;
	seq: number;
	reads: SegmentReads;
}

/**
 * The rolls of one session as if they were one (HUB 3). `segments` are in their order, the oldest first. A row that went on
 * in a newer roll stands in both; the newest counts.
 */
export function createRolledReads(segments: readonly Segment[]) {
	const newestFirst = segments.toReversed();

	return {
		async events({ after, limit, row }: { after: number; limit: number; row?: string }): Promise<IndexedEvent[]> {
			const found: IndexedEvent[] = [];
			for (const { seq, reads } of segments) {
				if (seq <= after) continue;
				const of = row === undefined ? {} : { row };
				found.push(...(await reads.events({ after, limit: limit - found.length, ...of })));
				if (found.length >= limit) break;
			}
			return found;
		},
		async rows({ before, after, limit }: { before?: number; after?: number; limit: number }): Promise<Row[]> {
			const forward = after !== undefined && before === undefined;
			const range = { after: after ?? -1, before: before ?? NEWEST, limit, forward };
			const rows = new Map<string, Row>();
			for (const { seq, reads } of newestFirst) {
				// Rows of older rolls all have lesser seqs than what was found.
				const later = [...rows.values()].filter((row) => row.seq > seq).length;
				if (seq <= range.after || (!forward && later >= limit)) break;
				for (const row of await reads.rows(range)) if (!rows.has(row.key)) rows.set(row.key, row);
			}
			const sorted = [...rows.values()].sort((one, other) => one.seq - other.seq);
			return forward ? sorted.slice(0, limit) : sorted.slice(-limit);
		},
		async row(key: string): Promise<Row | undefined> {
			for (const { reads } of newestFirst) {
				const row = await reads.row(key);
				if (row) return row;
			}
			return undefined;
		},
		async times(seqs: readonly number[]): Promise<(number | undefined)[]> {
			const times = new Map<number, number>();
			for (const { base, seq: last, reads } of segments) {
				const own = seqs.filter((seq) => seq > base && seq <= last);
				if (own.length > 0) for (const [seq, at] of await reads.times(own)) times.set(seq, at);
			}
			return seqs.map((seq) => times.get(seq));
		},
		async known(ids: readonly string[]): Promise<Set<string>> {
			const found = await Promise.all(segments.map(({ reads }) => reads.known(ids)));
			return new Set(found.flat());
		},
	};
}
