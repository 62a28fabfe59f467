import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { NEWEST, type SegmentReads } from './segment-reads.ts';

/** A roll with the seqs of its own events: after `base`, up to `seq`. */
export interface Segment {
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
