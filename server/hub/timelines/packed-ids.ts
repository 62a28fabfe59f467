import { hash } from 'node:crypto';
import { LruMap } from '../../process/lru-map.ts';
import type { Ask } from '../database/database.ts';

/** At 200,000 events each of them takes 1.6 MB. */
const MOST_HELD = 16;
const BYTES = 8;

const digestOf = (id: string): bigint => hash('sha256', id, 'buffer').readBigUInt64BE();

/** Ids as they are kept of a roll that is packed: the first eight bytes of each one's SHA-256, in ascending order. */
export function packIds(ids: readonly string[]): Buffer {
	const digests = BigUint64Array.from(ids, digestOf).sort();
	const packed = Buffer.alloc(digests.length * BYTES);
	for (const [at, digest] of digests.entries()) packed.writeBigUInt64BE(digest, at * BYTES);
	return packed;
}

/** Whether an id is among them. */
export function isPacked(packed: Buffer, id: string): boolean {
	const wanted = digestOf(id);
	let from = 0;
	let to = packed.length / BYTES;
	while (from < to) {
		const middle = (from + to) >> 1;
		const digest = packed.readBigUInt64BE(middle * BYTES);
		if (digest === wanted) return true;
		if (digest < wanted) from = middle + 1;
		else to = middle;
	}
	return false;
}

/** The ids of packed rolls of sessions that go on: a line that is told again must be known, however late it comes. */
export function createPackedIds(ask: Ask) {
	const held = new LruMap<number, Buffer>(MOST_HELD);
	return {
		/** Those of the ids that the roll with this number has. */
		async known(key: number, ids: readonly string[]): Promise<string[]> {
			let packed = held.get(key);
			if (!packed) {
				const [found] = await ask<{ ids: Buffer }>('SELECT ids FROM packed_ids WHERE skey = $1', [key]);
				packed = found?.ids ?? Buffer.alloc(0);
				held.set(key, packed);
			}
			const among = packed;
			return ids.filter((id) => isPacked(among, id));
		},
	};
}

export type PackedIds = ReturnType<typeof createPackedIds>;
