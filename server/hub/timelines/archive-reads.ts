import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { LruMap } from '../../process/lru-map.ts';
import { ArchiveManifest, objectsOf, type Piece } from './archive-manifest.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';
import { isPacked } from './packed-ids.ts';
import type { SegmentReads } from './roll-reads.ts';
import type { Archived } from './session-place.ts';

/** What is held of archives that were read lately: a piece has 1 MiB, or one line. */
const PIECES = 16;
const MANIFESTS = 64;
const unpack = promisify(gunzip);

type Stored = NonNullable<Archived['stored']>;

/** An archived roll, open for reading: one piece of it at a time is in memory. */
export interface Archive extends SegmentReads {
	manifest: ArchiveManifest;
	view(): Promise<SessionView>;
	/** As `packIds` made them. */
	ids(): Promise<Buffer>;
}

const noStore: Pick<ObjectStore, 'get'> = {
	get: () => Promise.reject(new ObjectStoreError('This replica knows no object store: set SIGNALBOX_OBJECTS_URL.')),
};

/** The archives of a store. What is read is held against the digests that the database has: nobody else can change it. */
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
		/** Rejects where the store does not give it, or gives something else. */
		async open(stored: Stored): Promise<Archive> {
			const manifest = await manifestOf(stored);
			const { events, rows } = objectsOf(stored.name);
			const eventsIn = (piece: Piece) => linesOf<IndexedEvent>(events, piece);
			const only = async <T>(piece: Piece) => (await linesOf<T>(rows, piece))[0] as T;
			const ids = async () => Buffer.from(await only<string>(manifest.ids), 'base64');

			/** A row's place and events, by its key. */
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
