import { isShown, MOST_SHOWN } from '#hooks-bridge/features/read-features.ts';
import type {
	FeatureDetail,
	FeatureRecord,
	FeatureSheet,
	FeaturesQuery,
	FeatureText,
} from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { featureText, featureWithoutContent, MAX_HANDOFFS } from '../../archives/features/feature-text.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type Ask, literal, sql } from '../database/database.ts';
import { inScope } from '../timelines/session-place.ts';
import { type FeatureFiles, readSheet } from './feature-store.ts';
import { createHubRecordings, type HubRecordings } from './hub-recordings.ts';

const MOST_LISTED = 500;
/** One machine may send very long rows. */
const MOST_LISTED_BYTES = 8 * 1024 * 1024;
const MOST_SHEETS = 64;
type RecentSheets = LruMap<string, FeatureSheet>;
export const recentSheets = (): RecentSheets => new LruMap(MOST_SHEETS);

export interface HubFeaturesOptions {
	ask: Ask;
	scope: HubScope;
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

export function createHubFeatures(options: HubFeaturesOptions) {
	const { ask, scope, content, reads, files, recordings, sheets } = options;

	async function demand(name: string): Promise<{ line: Line; edge: number; sheet: FeatureSheet }> {
		const [, edge = '', id = ''] = /^(\d{1,9})\/(.+)$/.exec(name) ?? [];
		const [line] = await ask<Line>`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${inScope(scope)} AND s.edge = ${Number(edge)}
			AND s.id = ${id} AND s.sheet IS NOT NULL`;
		if (!line) throw new AppError('feature/not-found');
		const known = sheets.get(line.digest);
		if (known) return { line, edge: line.edge, sheet: known };
		const [read] = await ask<{ digest: string; sheet: string | null }>`SELECT digest, sheet FROM features
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
		const found = await ask<{ session_id: string }>`SELECT session_id FROM (
				SELECT DISTINCT ON (s.session_id) s.session_id, ${inScope(scope)} AS mine FROM sessions s
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
			const lines = await ask<Line & { upTo: number }>`SELECT * FROM (
					SELECT ${COLUMNS}, (sum(octet_length(s.record)) OVER (ORDER BY s.archived_at DESC, s.edge, s.id))::float8 AS "upTo"
					FROM ${TABLES} WHERE ${inScope(scope)} AND s.record IS NOT NULL AND (${team}::text IS NULL OR t.name = ${team})
					AND (${machine}::text IS NULL OR e.name = ${machine}) AND (${project}::text IS NULL OR s.project = ${project})
					AND (${of?.edge}::int IS NULL OR s.edge = ${of?.edge} AND ${of?.sessionId} = ANY (s.sessions))
					ORDER BY s.archived_at DESC, s.edge, s.id LIMIT ${literal(MOST_LISTED + 1)}
				) AS lines WHERE "upTo" - octet_length(record) < ${literal(MOST_LISTED_BYTES)} ORDER BY "upTo"`;
			const features = lines.slice(0, MOST_LISTED).map(recordOf);
			const isFull = lines.length > MOST_LISTED || (lines.at(-1)?.upTo ?? 0) >= MOST_LISTED_BYTES;
			return { features, projects: [] as [], ...(isFull && { more: true as const }) };
		},

		async detail(name: string): Promise<FeatureDetail> {
			const { line, edge, sheet } = await demand(name);
			const { manifest, unshared, left } = sheet;
			const shown = manifest.documents.filter((document) => isShown(document.name)).sort(byName);
			const documents = shown.slice(0, MOST_SHOWN).map(async (document): Promise<FeatureText> => {
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
				...{ feature: recordOf(line), runs: [], manifest },
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

		replay: createHubRecordings({ ask, scope, reads, recordings, demand }),
	};
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
