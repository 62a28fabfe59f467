import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { MAX_FEATURE_FILE } from '#lib/contract/archives/features.ts';
import type { Ask } from '../database/database.ts';
import { type ObjectStore, ObjectStoreError } from '../timelines/object-store.ts';
import { createFeatureStore, type FeatureStore } from './feature-store.ts';

/** What all connections of a replica bring archived features to. */
export interface FeatureKeeping {
	featureStore: FeatureStore;
	/** Undefined where the hub has no object store: then documents and files stay at their machines. */
	files: FeatureFiles | undefined;
	/** Files are in memory until the store has them. */
	slots: Slots;
}

/** Files on their way into the store, of all machines of a replica: each has 1 MiB at most. */
const AT_ONCE = 16;

/** Where a replica keeps archived features; without a store their documents and files stay at their machines. */
export const createFeatureKeeping = (
	ask: Ask,
	store: Pick<ObjectStore, 'put' | 'get'> | undefined,
	now: () => number,
): FeatureKeeping => ({
	featureStore: createFeatureStore(ask, now),
	files: store && createFeatureFiles(store),
	slots: createSlots(AT_ONCE),
});

/** Lets so many pieces of work go on at once; the others wait, the first to come first. */
export function createSlots(count: number) {
	let free = count;
	const waiting: (() => void)[] = [];
	return {
		async use<T>(work: () => Promise<T>): Promise<T> {
			if (free > 0) free -= 1;
			else await new Promise<void>((go) => waiting.push(go));
			try {
				return await work();
			} finally {
				const next = waiting.shift();
				if (next) next();
				else free += 1;
			}
		},
	};
}

export type Slots = ReturnType<typeof createSlots>;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Where a document or file of an archived feature lies: under its team, its machine and its archive, by its digest. */
interface FeatureFileKey {
	team: number;
	edge: number;
	feature: string;
	digest: string;
}

const objectOf = ({ team, edge, feature, digest }: FeatureFileKey) =>
	`${team}/${edge}/features/${feature}/${digest}.gz`;

/** Documents and files of archived features in the object store. Everything rejects with `ObjectStoreError`. */
export interface FeatureFiles {
	/** An object of the same content is replaced: whoever was killed in between does it again. */
	put(place: FeatureFileKey, bytes: Buffer): Promise<void>;
	/** What is not what was put there is not given. */
	get(place: FeatureFileKey): Promise<Buffer>;
}

/** Over a store, each file packed by itself. */
export const createFeatureFiles = (store: Pick<ObjectStore, 'put' | 'get'>): FeatureFiles => ({
	async put(place, bytes) {
		await store.put(objectOf(place), await pack(bytes));
	},
	async get(place) {
		const name = objectOf(place);
		const packed = await store.get(name);
		const bytes = await unpack(packed, { maxOutputLength: MAX_FEATURE_FILE }).catch(() => undefined);
		if (!bytes || hash('sha256', bytes) !== place.digest)
			throw new ObjectStoreError(`${name} is not what was put there.`);
		return bytes;
	},
});
