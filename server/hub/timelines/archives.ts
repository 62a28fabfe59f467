import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { Query } from '../database/database.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';
import type { Archived } from './session-row.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.number().int().nonnegative();
const MAX_TEXT = 64 * 1024 * 1024;

/** One gzip member, which can be read alone. */
const Piece = z.object({
	at: whole,
	bytes: whole,
	sha256,
	text: whole.max(MAX_TEXT),
	first: z.union([z.number(), z.string()]),
	last: z.union([z.number(), z.string()]),
});

/**
 * `<team>/<edge>/<session>-<gen>.json`, with `….jsonl.gz` for events and `….rows.jsonl.gz` for the rest; later rolls have
 * `.<roll>`.
 */
export const ArchiveManifest = z.object({
	v: z.literal(1),
	edge: whole,
	session: z.string(),
	gen: whole,
	roll: whole,
	team: whole,
	project: z.string().nullable(),
	epoch: z.string(),
	base: whole,
	seq: whole,
	offset: whole,
	tailDigest: z.string(),
	lastTs: z.string().nullable(),
	fold: whole,
	packedAt: z.string(),
	events: z.array(Piece),
	rows: z.array(Piece),
	/** Lines `[key, seq of the row, seqs of its events]`. */
	index: z.array(Piece),
	view: Piece,
	times: Piece,
	ids: Piece,
});

export type ArchiveManifest = z.infer<typeof ArchiveManifest>;
export type Piece = z.infer<typeof Piece>;

export const objectsOf = (name: string) => ({
	events: `${name}.jsonl.gz`,
	rows: `${name}.rows.jsonl.gz`,
	manifest: `${name}.json`,
});

export function archiveName(of: { team: number; edge: number; sessionId: string; gen: number; roll: number }): string {
	const roll = of.roll === 0 ? '' : `.${of.roll}`;
	return `${of.team}/${of.edge}/${of.sessionId}-${of.gen}${roll}`;
}

const MAX_HELD = 16;
const BYTES = 8;

const digestOf = (id: string): bigint => hash('sha256', id, 'buffer').readBigUInt64BE();

/** The first eight bytes of each SHA-256, ascending. */
export function packIds(ids: readonly string[]): Buffer {
	const digests = BigUint64Array.from(ids, digestOf).sort();
	const packed = Buffer.alloc(digests.length * BYTES);
	for (const [index, digest] of digests.entries()) packed.writeBigUInt64BE(digest, index * BYTES);
	return packed;
}

function isPacked(packed: Buffer, id: string): boolean {
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

/** Ids of packed rolls, so that a repeated line is known however late it comes. */
export function createPackedIds(query: Query) {
	const held = new LruMap<number, Buffer>(MAX_HELD);
	return {
		async known(key: number, ids: readonly string[]): Promise<string[]> {
			let packed = held.get(key);
			if (!packed) {
				const [found] = await query<{ ids: Buffer }>`SELECT ids FROM packed_ids WHERE skey = ${key}`;
				packed = found?.ids ?? Buffer.alloc(0);
				held.set(key, packed);
			}
			const among = packed;
			return ids.filter((id) => isPacked(among, id));
		},
	};
}

export type PackedIds = ReturnType<typeof createPackedIds>;

const PIECES = 16;
const MANIFESTS = 64;
const unpack = promisify(gunzip);

type Stored = NonNullable<Archived['stored']>;

export interface SegmentReads {
	events(range: { after: number; limit: number; row?: string }): Promise<IndexedEvent[]>;
	rows(range: { after: number; before: number; limit: number; forward: boolean }): Promise<Row[]>;
	row(key: string): Promise<Row | undefined>;
	times(seqs: readonly number[]): Promise<ReadonlyMap<number, number>>;
	known(ids: readonly string[]): Promise<string[]>;
}

export interface Archive extends SegmentReads {
	manifest: ArchiveManifest;
	view(): Promise<SessionView>;
	ids(): Promise<Buffer>;
}

const noStore: Pick<ObjectStore, 'get'> = {
	get: () => Promise.reject(new ObjectStoreError('This replica knows no object store: set SIGNALBOX_OBJECTS_URL.')),
};

/** Everything read is checked against the digests in the database. */
export function createArchives(store: Pick<ObjectStore, 'get'> = noStore) {
	const pieces = new LruMap<string, string>(PIECES);
	const manifests = new LruMap<string, ArchiveManifest>(MANIFESTS);

	async function manifestOf({ name, hash: digest }: Stored): Promise<ArchiveManifest> {
		const known = manifests.get(digest);
		if (known) return known;
		const bytes = await store.get(objectsOf(name).manifest);
		if (hash('sha256', bytes) !== digest)
			throw new ObjectStoreError(`The manifest of ${name} is not what was put there.`);
		const read = ArchiveManifest.parse(JSON.parse(bytes.toString('utf8')));
		manifests.set(digest, read);
		return read;
	}

	async function textOf(object: string, { at, bytes, sha256, text }: Piece): Promise<string> {
		const known = pieces.get(sha256);
		if (known !== undefined) return known;
		const packed = await store.get(object, { at, bytes });
		if (hash('sha256', packed) !== sha256) throw new ObjectStoreError(`${object} is not what was put there.`);
		const read = (await unpack(packed, { maxOutputLength: text })).toString('utf8');
		pieces.set(sha256, read);
		return read;
	}

	const linesOf = async <T>(object: string, piece: Piece): Promise<T[]> =>
		(await textOf(object, piece))
			.split('\n')
			.slice(0, -1)
			.map((line) => JSON.parse(line) as T);

	return {
		async open(stored: Stored): Promise<Archive> {
			const manifest = await manifestOf(stored);
			const { events, rows } = objectsOf(stored.name);
			const eventsIn = (piece: Piece) => linesOf<IndexedEvent>(events, piece);
			const only = async <T>(piece: Piece) => (await linesOf<T>(rows, piece))[0] as T;
			const ids = async () => Buffer.from(await only<string>(manifest.ids), 'base64');

			async function entryOf(key: string): Promise<{ seq: number | null; events: number[] } | undefined> {
				const piece = manifest.index.find(({ first, last }) => String(first) <= key && key <= String(last));
				const lines = piece ? await linesOf<[string, number | null, number[]]>(rows, piece) : [];
				const found = lines.find(([name]) => name === key);
				return found && { seq: found[1], events: found[2] };
			}

			async function* eventsAfter(after: number) {
				for (const piece of manifest.events) if (Number(piece.last) > after) yield await eventsIn(piece);
			}

			return {
				manifest,
				ids,
				view: () => only<SessionView>(manifest.view),
				async events({ after, limit, row }) {
					const wanted = row === undefined ? undefined : new Set((await entryOf(row))?.events);
					const from = wanted ? Math.max(after, Math.min(...wanted) - 1) : after;
					const most = wanted ? Math.min(limit, [...wanted].filter((seq) => seq > after).length) : limit;
					const found: IndexedEvent[] = [];
					if (most === 0) return found;
					for await (const page of eventsAfter(from)) {
						found.push(...page.filter(({ seq }) => seq > after && (wanted?.has(seq) ?? true)));
						if (found.length >= most) break;
					}
					return found.slice(0, most);
				},
				async rows({ after, before, limit, forward }) {
					const inRange = manifest.rows.filter(({ first, last }) => Number(last) > after && Number(first) < before);
					const found: Row[] = [];
					for (const piece of forward ? inRange : inRange.toReversed()) {
						if (found.length >= limit) break;
						const page = (await linesOf<Row>(rows, piece)).filter(({ seq }) => seq > after && seq < before);
						if (forward) found.push(...page);
						else found.unshift(...page);
					}
					return forward ? found.slice(0, limit) : found.slice(-limit);
				},
				async row(key) {
					const seq = (await entryOf(key))?.seq ?? null;
					if (seq === null) return;
					for (const piece of manifest.rows.filter(({ first, last }) => Number(first) <= seq && seq <= Number(last))) {
						const row = (await linesOf<Row>(rows, piece)).find((one) => one.key === key);
						if (row) return row;
					}
					return;
				},
				async times(seqs) {
					const times = await only<(number | null)[]>(manifest.times);
					return new Map(seqs.map((seq) => [seq, times[seq - manifest.base - 1] ?? Number.NaN]));
				},
				async known(wanted) {
					const packed = await ids();
					return wanted.filter((id) => isPacked(packed, id));
				},
			};
		},
	};
}

export type Archives = ReturnType<typeof createArchives>;
