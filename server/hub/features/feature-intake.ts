import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { FeatureSheet, filesOf, MAX_FEATURE_FILE } from '#lib/contract/archives/features.ts';
import type { EdgeFrame } from '#lib/contract/hub/hub-wire.ts';
import { parsedJson } from '#lib/json/json.ts';
import type { Log } from '../../process/log.ts';
import { isAny, literal, type Query } from '../database/database.ts';
import type { EdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { type ObjectStore, ObjectStoreError } from '../timelines/object-store.ts';

const ANSWER_MS = 60_000;
const RETRY_MS = 30_000;
const MAX_QUEUED = 20_000;
const EVENTS_A_KIB = 1;
const AT_ONCE = 500;

export interface FeatureIntakeOptions extends FeatureStore {
	edge: number;
	team: number;
	connEpoch: number;
	rateLimits: EdgeRateLimits;
	log: Log;
	send: {
		want: (request: { feature: string; digest: string }) => void;
		kept: (feature: { feature: string; sheet: string }) => void;
	};
	end: (why: 'bad' | 'later', reason: string) => void;
}

type Blob = Extract<EdgeFrame, { type: 'blob' }>['header'];

class BadFeature extends Error {}
class EdgeLeft extends Error {}

/**
 * Copies a machine's archived features: the sheet, missing files, the database row last, so that nothing incomplete is listed.
 */
export function createFeatureIntake(options: FeatureIntakeOptions) {
	const { edge, team, connEpoch, featureStore, files, slots, rateLimits, log, send, end } = options;
	const queue = new Map<string, string>();
	const closing = new AbortController();
	const { signal } = closing;
	let awaited: { feature: string; digest: string; resolveBlob: (bytes: Buffer | null) => void } | undefined;
	let work: Promise<void> | undefined;

	async function ask(feature: string, digest: string): Promise<Buffer | null> {
		// The connection may have ended since the last answer.
		if (signal.aborted) throw new EdgeLeft();
		const bytes = await new Promise<Buffer | null>((resolveBlob, reject) => {
			awaited = { feature, digest, resolveBlob };
			const over = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
			over.addEventListener('abort', () => reject(new EdgeLeft()), { once: true });
			send.want({ feature, digest });
		}).finally(() => {
			awaited = undefined;
		});
		const ms = rateLimits.spend(edge, 1 + ((bytes?.length ?? 0) / 1024) * EVENTS_A_KIB);
		if (ms) await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
		return bytes;
	}

	async function fetchFeature(id: string, digest: string) {
		const text = (await ask(id, digest))?.toString('utf8');
		// The archive has changed, and is announced again.
		if (text === undefined) return;
		const sheet = readSheet(id, text);
		if (typeof sheet === 'string') throw new BadFeature(sheet);
		if (files) await fetchFiles(files, id, filesOf(sheet.manifest));
		if (await featureStore.keep({ edge, connEpoch, digest, text, sheet, stored: files !== undefined }))
			send.kept({ feature: id, sheet: digest });
	}

	async function fetchFiles(store: FeatureFiles, feature: string, named: readonly { sha256: string }[]) {
		const missing = await featureStore.missing(
			edge,
			feature,
			named.map(({ sha256 }) => sha256),
		);
		for (const digest of missing) {
			await slots.use(async () => {
				const bytes = await ask(feature, digest);
				if (bytes) await store.put({ team, edge, feature, digest }, bytes);
				await featureStore.noteFile(edge, feature, digest, bytes?.length ?? null);
			});
		}
	}

	async function run() {
		while (queue.size > 0 && !signal.aborted) {
			const sheets = [...queue].slice(0, AT_ONCE).map(([id, sheet]) => ({ id, sheet }));
			const kept = await featureStore.kept(edge, sheets, files !== undefined);
			const known = new Set(kept.map(({ id }) => id));
			for (const { id, sheet } of kept) send.kept({ feature: id, sheet });
			for (const { id, sheet } of sheets) {
				if (!known.has(id) && queue.get(id) === sheet) await fetchFeature(id, sheet);
				if (queue.get(id) === sheet) queue.delete(id);
			}
		}
	}

	function startQueue() {
		work ??= run()
			.catch(async (error: unknown) => {
				if (error instanceof BadFeature) return end('bad', error.message);
				if (signal.aborted) return;
				if (error instanceof EdgeLeft) return queue.clear();
				const reason = error instanceof Error && 'reason' in error ? error.reason : error;
				log.warn('hub: an archived feature could not be kept, and is tried again', { edge, reason: String(reason) });
				await sleep(RETRY_MS, undefined, { ref: false, signal }).catch(() => undefined);
			})
			.finally(() => {
				work = undefined;
				if (queue.size > 0 && !signal.aborted) startQueue();
			});
	}

	return {
		enqueueReported(features: readonly { id: string; sheet: string }[]) {
			if (queue.size + features.length > MAX_QUEUED) return end('bad', 'more archived features than a hub takes');
			for (const { id, sheet } of features) queue.set(id, sheet);
			startQueue();
		},
		acceptBlob({ feature, digest, gone: fail }: Blob, bytes: Buffer) {
			// An answer may arrive after its timeout.
			if (awaited?.feature !== feature || awaited.digest !== digest) return;
			if (!fail && hash('sha256', bytes) !== digest) return end('bad', 'a blob that is not what was wanted');
			awaited.resolveBlob(fail ? null : bytes);
		},
		async closed() {
			closing.abort();
			await work;
		},
	};
}

export type FeatureIntake = ReturnType<typeof createFeatureIntake>;

const MAX_FEATURES = 10_000;
const DAY_MS = 86_400_000;

export interface ReportedFeature {
	edge: number;
	/** A connection that was replaced writes nothing. */
	connEpoch: number;
	digest: string;
	text: string;
	sheet: FeatureSheet;
	stored: boolean;
}

export const createFeatureStore = (query: Query, now: () => number) => ({
	kept: (edge: number, reported: readonly { id: string; sheet: string }[], stored: boolean) =>
		query<{ id: string; sheet: string }>`SELECT f.id, f.digest AS sheet FROM features f
			JOIN unnest(${reported.map(({ id }) => id)}::text[], ${reported.map(({ sheet }) => sheet)}::text[]) AS t(id,
			digest) USING (id, digest) WHERE f.edge = ${edge} AND (f.stored OR f.record IS NULL OR NOT ${stored})`,
	async missing(edge: number, feature: string, digests: readonly string[]): Promise<string[]> {
		const there = await query<{ digest: string }>`SELECT digest FROM feature_files WHERE edge = ${edge}
			AND feature = ${feature} AND bytes IS NOT NULL AND digest = ANY (${digests})`;
		const known = new Set(there.map(({ digest }) => digest));
		return [...new Set(digests)].filter((digest) => !known.has(digest));
	},
	async noteFile(edge: number, feature: string, digest: string, bytes: number | null): Promise<void> {
		await query`INSERT INTO feature_files (edge, feature, digest, bytes) VALUES (${edge}, ${feature}, ${digest},
			${bytes}) ON CONFLICT (edge, feature, digest) DO UPDATE SET bytes = excluded.bytes`;
	},
	async keep({ edge, connEpoch, digest, text, sheet, stored }: ReportedFeature): Promise<boolean> {
		const { feature, manifest } = sheet;
		// A machine's clock may give any date.
		const at = Math.min(Math.max(0, Date.parse(manifest.archivedAt)), now() + DAY_MS);
		return isAny(query`INSERT INTO features (edge, id, team, project, archived_at, sessions, record, sheet, digest,
			stored) SELECT e.id, ${feature.id}, e.team, ${feature.project.replaceAll('\0', '')},
			${new Date(at).toISOString()}, ${feature.sessions}, ${JSON.stringify(featureLine(feature))}, ${text}, ${digest},
			${stored} FROM edges e WHERE e.id = ${edge} AND e.conn_epoch = ${connEpoch} AND (SELECT count(*) FROM features f
			WHERE f.edge = ${edge} AND f.id <> ${feature.id}) < ${literal(MAX_FEATURES)} ON CONFLICT (edge, id) DO UPDATE
			SET project = excluded.project, archived_at = excluded.archived_at, sessions = excluded.sessions, record =
			excluded.record, sheet = excluded.sheet, digest = excluded.digest, stored = excluded.stored, updated = now()
			RETURNING id`);
	},
});

function featureLine({ outcome, ...feature }: FeatureSheet['feature']) {
	return { ...feature, ...(outcome && { outcome: { ...outcome, spans: undefined } }) };
}

export function readSheet(id: string, text: string): FeatureSheet | string {
	const value = parsedJson(text);
	if (value === undefined) return 'a sheet that is not JSON';
	const sheet = FeatureSheet.safeParse(value);
	if (sheet.success) return sheet.data.feature.id === id ? sheet.data : 'the sheet of another feature';
	const issue = sheet.error.issues[0];
	return `a sheet: ${issue?.path.join('.')}: ${issue?.message}`.slice(0, 100);
}

const SLOTS = 16;

export const openFeatureStore = (
	query: Query,
	store: Pick<ObjectStore, 'put' | 'get'> | undefined,
	now: () => number,
) => ({
	featureStore: createFeatureStore(query, now),
	files: store && createFeatureFiles(store),
	slots: createSlots(SLOTS),
});

export type FeatureStore = ReturnType<typeof openFeatureStore>;

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
