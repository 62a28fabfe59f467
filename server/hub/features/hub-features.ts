import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { isShown, MAX_SHOWN } from '#hooks-bridge/features/read-features.ts';
import type {
	FeatureDetail,
	FeatureRecord,
	FeatureSheet,
	FeaturesQuery,
	FeatureText,
} from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { inEnglish, sentence } from '#lib/messages/sentence.ts';
import { featureText, featureWithoutContent, MAX_HANDOFFS } from '../../archives/features/feature-text.ts';
import {
	createRecordingFiles,
	type RecordingFiles,
	type RecordingSource,
} from '../../archives/replay/recording-files.ts';
import { createReplayService, type ReplayService } from '../../archives/replay/replay-service.ts';
import { LruMap } from '../../process/lru-map.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../timeline/store/open-database.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { literal, type Query, sql } from '../database/database.ts';
import { scopeFilter } from '../timelines/session-row.ts';
import { type FeatureFiles, readSheet } from './feature-intake.ts';

const MAX_LISTED = 500;
/** One machine may send very long rows. */
const MAX_LISTED_BYTES = 8 * 1024 * 1024;
const MAX_SHEETS = 64;
type RecentSheets = LruMap<string, FeatureSheet>;
export const recentSheets = (): RecentSheets => new LruMap(MAX_SHEETS);

export interface HubFeaturesOptions {
	query: Query;
	scope: HubReach;
	content: boolean;
	reads: Pick<SessionReads, 'events'>;
	files: FeatureFiles | undefined;
	recordings: HubRecordings;
	sheets: RecentSheets;
}

export type HubFeatures = ReturnType<typeof createHubFeatures>;

interface Line {
	edge: number;
	id: string;
	team: number;
	record: string;
	digest: string;
	stored: boolean;
	machine: string;
	team_name: string;
}

const COLUMNS = sql`s.edge, s.id, s.team, s.record, s.digest, s.stored, e.name AS machine, t.name AS team_name`;
const TABLES = sql`features s JOIN edges e ON e.id = s.edge JOIN teams t ON t.id = s.team`;

/** Archived features in a reader's scope; without `content` no texts. */
export function createHubFeatures(options: HubFeaturesOptions) {
	const { query, scope, content, reads, files, recordings, sheets } = options;

	async function demand(name: string): Promise<{ line: Line; edge: number; sheet: FeatureSheet }> {
		const [, edge = '', id = ''] = /^(\d{1,9})\/(.+)$/.exec(name) ?? [];
		const [line] =
			await query<Line>`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${scopeFilter(scope)} AND s.edge = ${Number(edge)}
			AND s.id = ${id} AND s.sheet IS NOT NULL`;
		if (!line) throw new AppError('feature/not-found');
		const known = sheets.get(line.digest);
		if (known) return { line, edge: line.edge, sheet: known };
		const [read] = await query<{ digest: string; sheet: string | null }>`SELECT digest, sheet FROM features
			WHERE edge = ${line.edge} AND id = ${line.id}`;
		const sheet = readSheet(line.id, read?.sheet ?? '');
		if (!read || typeof sheet === 'string') throw new AppError('feature/not-found');
		sheets.set(read.digest, sheet);
		return { line, edge: line.edge, sheet };
	}

	function recordOf({ edge, record, machine, team_name }: Line): FeatureRecord {
		const recorded = JSON.parse(record) as FeatureRecord;
		const feature = content ? recorded : featureWithoutContent(recorded);
		return {
			...feature,
			id: `${edge}/${feature.id}`,
			sessions: feature.sessions.map((sessionId) => hubNameOf({ edge, sessionId })),
			machine: { name: machine, team: team_name },
		};
	}

	async function hiddenOf(edge: number, ids: readonly string[]): Promise<Set<string>> {
		const found = await query<{ session_id: string }>`SELECT session_id FROM (
				SELECT DISTINCT ON (s.session_id) s.session_id, ${scopeFilter(scope)} AS mine FROM sessions s
				WHERE s.edge = ${edge} AND s.session_id = ANY (${ids}) ORDER BY s.session_id, s.gen DESC, s.roll DESC
			) AS newest WHERE mine IS NOT TRUE`;
		return new Set(found.map(({ session_id }) => session_id));
	}

	async function textOf({ team, edge, id, stored }: Line, digest: string): Promise<string | null> {
		if (!files || !stored) return null;
		const bytes = await files.get({ team, edge, feature: id, digest }).catch(() => null);
		return bytes?.toString('utf8') ?? null;
	}

	return {
		async list({ session, team, machine, project }: FeaturesQuery) {
			const of = session === undefined ? undefined : readHubName(session);
			if (session !== undefined && !of) return { features: [], projects: [] as [] };
			const lines = await query<Line & { upTo: number }>`SELECT * FROM (
					SELECT ${COLUMNS}, (sum(octet_length(s.record)) OVER (ORDER BY s.archived_at DESC, s.edge, s.id))::float8 AS "upTo"
					FROM ${TABLES} WHERE ${scopeFilter(scope)} AND s.record IS NOT NULL AND (${team}::text IS NULL OR t.name = ${team})
					AND (${machine}::text IS NULL OR e.name = ${machine}) AND (${project}::text IS NULL OR s.project = ${project})
					AND (${of?.edge}::int IS NULL OR s.edge = ${of?.edge} AND ${of?.sessionId} = ANY (s.sessions))
					ORDER BY s.archived_at DESC, s.edge, s.id LIMIT ${literal(MAX_LISTED + 1)}
				) AS lines WHERE "upTo" - octet_length(record) < ${literal(MAX_LISTED_BYTES)} ORDER BY "upTo"`;
			const features = lines.slice(0, MAX_LISTED).map(recordOf);
			const isFull = lines.length > MAX_LISTED || (lines.at(-1)?.upTo ?? 0) >= MAX_LISTED_BYTES;
			return { features, projects: [] as [], ...(isFull && { more: true as const }) };
		},

		async detail(name: string): Promise<FeatureDetail> {
			const { line, edge, sheet } = await demand(name);
			const { manifest, unshared, left } = sheet;
			const shown = manifest.documents.filter((document) => isShown(document.name)).sort(byName);
			const documents = shown.slice(0, MAX_SHOWN).map(async (document): Promise<FeatureText> => {
				return featureText(document.name, await textOf(line, document.sha256));
			});
			const ids = manifest.sessions.map(({ sessionId }) => sessionId);
			const hidden = await hiddenOf(edge, ids);
			const handoffs = manifest.sessions.flatMap(({ sessionId, files: kept }) =>
				hidden.has(sessionId)
					? []
					: kept.filter((file) => file.name.startsWith('handoffs/')).map((file) => ({ sessionId, file })),
			);
			const texts = handoffs.slice(0, MAX_HANDOFFS).map(async ({ sessionId, file }) => ({
				sessionId: hubNameOf({ edge, sessionId }),
				...featureText(file.name.slice('handoffs/'.length), await textOf(line, file.sha256)),
			}));
			return {
				feature: recordOf(line),
				runs: [],
				manifest,
				documents: await Promise.all(documents),
				handoffs: await Promise.all(texts),
				hub: { unshared, left, stored: line.stored },
			};
		},

		async file(id: string, sessionName: string, name: string): Promise<Buffer> {
			const { line, edge, sheet } = await demand(id);
			const of = readHubName(sessionName);
			const session = of?.edge === edge && sheet.manifest.sessions.find(({ sessionId }) => sessionId === of.sessionId);
			const file = session ? session.files.find((kept) => kept.name === name) : undefined;
			if (!of || !file || !files || !line.stored) throw new AppError('file/not-found');
			if ((await hiddenOf(edge, [of.sessionId])).size > 0) throw new AppError('file/not-found');
			if (name.startsWith('blobs/') && name !== `blobs/${file.sha256}`) throw new AppError('file/changed');
			const { team, id: feature } = line;
			return files.get({ team, edge, feature, digest: file.sha256 });
		},

		replay: createHubRecordings({ query, scope, reads, recordings, demand }),
	};
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

const QUIET_MS = 60_000;
const MAX_HELD = 10_000;
const PAGE = 500;

interface Extent {
	epoch: string;
	seq: number;
}

export type HubRecordings = ReturnType<typeof openHubRecordings>;

/**
 * Recordings built at a replica, in a folder that it holds while it runs. `steadyExtent` keeps one from being rebuilt at every
 * event.
 */
export function openHubRecordings(folder: string, now: () => number) {
	const held = new LruMap<string, Extent & { until: number }>(MAX_HELD);
	let made: { recordingFiles: RecordingFiles; release(): void } | undefined;
	return {
		recordingFiles(): RecordingFiles {
			if (!made) {
				const { path, release } = holdFolder(folder);
				made = { recordingFiles: createRecordingFiles(path), release };
			}
			return made.recordingFiles;
		},
		steadyExtent(name: string, extent: Extent): Extent {
			const known = held.get(name);
			if (known && known.epoch === extent.epoch && known.until > now()) return known;
			const fresh = { ...extent, until: now() + QUIET_MS };
			held.set(name, fresh);
			return fresh;
		},
		stop(): void {
			made?.recordingFiles.close();
			made?.release();
		},
	};
}

interface SessionExtent extends Extent {
	session_id: string;
	off: number;
	gone: boolean;
}

interface HubRecordingsOptions {
	query: Query;
	scope: HubReach;
	reads: Pick<SessionReads, 'events'>;
	recordings: HubRecordings;
	demand(id: string): Promise<{ edge: number; sheet: FeatureSheet }>;
}

/** Made from the events that the hub has; only sessions that the reader may read are included. */
export function createHubRecordings({ query, scope, reads, recordings, demand }: HubRecordingsOptions): ReplayService {
	async function extentsOf(edge: number, ids: readonly string[]): Promise<Map<string, SessionExtent>> {
		const found = await query<SessionExtent>`SELECT DISTINCT ON (s.session_id) s.session_id, s.off, s.seq, s.epoch,
				s.archived_at IS NOT NULL AND s.archive IS NULL AS gone
			FROM sessions s WHERE ${scopeFilter(scope)} AND s.edge = ${edge} AND s.session_id = ANY (${ids})
			ORDER BY s.session_id, s.gen DESC, s.roll DESC`;
		return new Map(found.map((extent) => [extent.session_id, extent]));
	}

	function sourceOf(edge: number, { session_id: sessionId, ...extent }: SessionExtent): RecordingSource {
		const name = hubNameOf({ edge, sessionId });
		const { epoch, seq } = recordings.steadyExtent(name, extent);
		return {
			place: [`${edge}`, sessionId],
			sessionId: name,
			stamp: `${epoch}.${seq}`,
			async read(add, done) {
				for (let index = 0; index < seq; ) {
					const events = await reads.events(name, { after: index, limit: PAGE });
					for (const event of events) if (event.seq <= seq) add(event);
					const last = events.at(-1)?.seq;
					if (last === undefined) throw new AppError('session/not-found');
					index = last;
					done(Math.min(1, index / seq));
					await turn();
				}
			},
		};
	}

	return createReplayService({
		async all(id) {
			const { edge, sheet } = await demand(id);
			const { sessions } = sheet.manifest;
			const extents = await extentsOf(
				edge,
				sessions.map(({ sessionId }) => sessionId),
			);
			return sessions.map(({ sessionId, timelines }) => {
				const name = hubNameOf({ edge, sessionId });
				const extent = extents.get(sessionId);
				const bytes = timelines.at(-1)?.bytes ?? 0;
				if (!extent || extent.gone) {
					const why = extent
						? sentence('The hub does not keep this session any more.')
						: sentence('The hub does not have this session.');
					return { sessionId: name, peek: () => ({ failed: inEnglish(why) }), lacks: why };
				}
				return {
					sessionId: name,
					peek: () => recordings.recordingFiles().peek(sourceOf(edge, extent)),
					...(extent.off < bytes && { lacks: sentence('Of this session the hub does not have everything yet.') }),
				};
			});
		},
		async open(id, name) {
			const { edge, sheet } = await demand(id);
			const ids = sheet.feature.sessions.filter((sessionId) => hubNameOf({ edge, sessionId }) === name);
			const [extent] = (await extentsOf(edge, ids)).values();
			if (!extent || extent.gone) throw new AppError('session/not-found');
			return recordings.recordingFiles().open(sourceOf(edge, extent));
		},
	});
}

/** The lock ends with its process, also where replicas do not see each other's pids. */
const LOCK = 'held.db';

export function holdFolder(parent: string) {
	makeFolder(parent);
	for (const name of readdirSync(parent)) removeWhereDead(join(parent, name));
	const path = mkdtempSync(join(parent, 'of-'));
	const lock = takeLock(path, {});
	return {
		path,
		release() {
			lock.close();
			rmSync(path, { recursive: true, force: true });
		},
	};
}

function takeLock(folder: string, options: DatabaseOptions): Database {
	const lock = openDatabase(join(folder, LOCK), options);
	try {
		lock.exec('BEGIN EXCLUSIVE');
		return lock;
	} catch (error) {
		lock.close();
		throw error;
	}
}

/** What cannot be removed now is removed next time. */
function removeWhereDead(path: string): void {
	try {
		const lock = takeLock(path, { fileMustExist: true, timeout: 0 });
		rmSync(path, { recursive: true, force: true });
		lock.close();
	} catch {}
}
