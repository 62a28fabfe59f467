import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { FeatureSheet, MAX_FEATURE_FILE } from '#lib/contract/archives/features.ts';
import { type Ask, isAny, literal } from '../database/database.ts';
import { type ObjectStore, ObjectStoreError } from '../timelines/object-store.ts';

const MOST_FEATURES = 10_000;
const DAY_MS = 86_400_000;

export interface ToldFeature {
	edge: number;
	/** A connection that was replaced writes nothing. */
	connEpoch: number;
	digest: string;
	text: string;
	sheet: FeatureSheet;
	stored: boolean;
}

export const createFeatureStore = (ask: Ask, now: () => number) => ({
	kept: (edge: number, reported: readonly { id: string; sheet: string }[], stored: boolean) =>
		ask<{ id: string; sheet: string }>`SELECT f.id, f.digest AS sheet FROM features f
			JOIN unnest(${reported.map(({ id }) => id)}::text[], ${reported.map(({ sheet }) => sheet)}::text[]) AS t(id,
			digest) USING (id, digest) WHERE f.edge = ${edge} AND (f.stored OR f.record IS NULL OR NOT ${stored})`,
	async missing(edge: number, feature: string, digests: readonly string[]): Promise<string[]> {
		const there = await ask<{ digest: string }>`SELECT digest FROM feature_files WHERE edge = ${edge}
			AND feature = ${feature} AND bytes IS NOT NULL AND digest = ANY (${digests})`;
		const known = new Set(there.map(({ digest }) => digest));
		return [...new Set(digests)].filter((digest) => !known.has(digest));
	},
	async noteFile(edge: number, feature: string, digest: string, bytes: number | null): Promise<void> {
		await ask`INSERT INTO feature_files (edge, feature, digest, bytes) VALUES (${edge}, ${feature}, ${digest},
			${bytes}) ON CONFLICT (edge, feature, digest) DO UPDATE SET bytes = excluded.bytes`;
	},
	async keep({ edge, connEpoch, digest, text, sheet, stored }: ToldFeature): Promise<boolean> {
		const { feature, manifest } = sheet;
		// A machine's clock may give any date.
		const at = Math.min(Math.max(0, Date.parse(manifest.archivedAt)), now() + DAY_MS);
		return isAny(ask`INSERT INTO features (edge, id, team, project, archived_at, sessions, record, sheet, digest,
			stored) SELECT e.id, ${feature.id}, e.team, ${feature.project.replaceAll('\0', '')},
			${new Date(at).toISOString()}, ${feature.sessions}, ${JSON.stringify(featureLine(feature))}, ${text}, ${digest},
			${stored} FROM edges e WHERE e.id = ${edge} AND e.conn_epoch = ${connEpoch} AND (SELECT count(*) FROM features f
			WHERE f.edge = ${edge} AND f.id <> ${feature.id}) < ${literal(MOST_FEATURES)} ON CONFLICT (edge, id) DO UPDATE
			SET project = excluded.project, archived_at = excluded.archived_at, sessions = excluded.sessions, record =
			excluded.record, sheet = excluded.sheet, digest = excluded.digest, stored = excluded.stored, updated = now()
			RETURNING id`);
	},
});

function featureLine({ outcome, ...feature }: FeatureSheet['feature']) {
	return { ...feature, ...(outcome && { outcome: { ...outcome, spans: undefined } }) };
}

export function readSheet(id: string, text: string): FeatureSheet | string {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return 'a sheet that is not JSON';
	}
	const sheet = FeatureSheet.safeParse(value);
	if (sheet.success) return sheet.data.feature.id === id ? sheet.data : 'the sheet of another feature';
	const issue = sheet.error.issues[0];
	return `a sheet: ${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100);
}

const AT_ONCE = 16;

export const createFeatureKeeping = (
	ask: Ask,
	store: Pick<ObjectStore, 'put' | 'get'> | undefined,
	now: () => number,
) => ({
	featureStore: createFeatureStore(ask, now),
	files: store && createFeatureFiles(store),
	slots: createSlots(AT_ONCE),
});

export type FeatureKeeping = ReturnType<typeof createFeatureKeeping>;

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

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Part of the object's name. */
interface FeatureFileKey {
	team: number;
	edge: number;
	feature: string;
	digest: string;
}

const objectOf = ({ team, edge, feature, digest }: FeatureFileKey) =>
	`${team}/${edge}/features/${feature}/${digest}.gz`;

export const createFeatureFiles = (store: Pick<ObjectStore, 'put' | 'get'>) => ({
	async put(objectName: FeatureFileKey, bytes: Buffer): Promise<void> {
		await store.put(objectOf(objectName), await pack(bytes));
	},
	async get(objectName: FeatureFileKey): Promise<Buffer> {
		const name = objectOf(objectName);
		const packed = await store.get(name);
		const bytes = await unpack(packed, { maxOutputLength: MAX_FEATURE_FILE }).catch(() => undefined);
		if (!bytes || hash('sha256', bytes) !== objectName.digest)
			throw new ObjectStoreError(`${name} is not what was put there.`);
		return bytes;
	},
});

export type FeatureFiles = ReturnType<typeof createFeatureFiles>;
