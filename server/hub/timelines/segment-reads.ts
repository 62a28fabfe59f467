import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import type { Ask } from '../database/database.ts';
import type { PlacedSession } from './session-place.ts';

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
