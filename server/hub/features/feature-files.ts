import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { MAX_FEATURE_FILE } from '#lib/contract/archives/feature-sheet.ts';
import { type ObjectStore, ObjectStoreError } from '../timelines/object-store.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Where a document or file of an archived feature lies: under its team, its machine and its archive, by its digest. */
export interface FeatureFileKey {
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
