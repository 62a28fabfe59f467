import { isShown } from '#hooks-bridge/features/read-features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { FeatureSheet } from '#lib/contract/feature-sheet.ts';
import type {
	FeatureDetail,
	FeatureOutcome,
	FeatureRecord,
	FeaturesQuery,
	FeatureText,
} from '#lib/contract/features.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { featureText, MAX_HANDOFFS } from '../../features/feature-text.ts';
import { LruMap } from '../../lru-map.ts';
import type { ReplayDesk } from '../../replay/replay-desk.ts';
import type { HubScope } from '../../store/hub-store.ts';
import type { SessionReads } from '../../store/session-reads.ts';
import type { Ask } from '../database.ts';
import { IN_SCOPE, scopeValues } from '../hub-reads.ts';
import type { FeatureFiles } from './feature-files.ts';
import { createHubRecordings, type HubReels } from './hub-recordings.ts';
import { readSheet } from './read-sheet.ts';

/** The newest are listed; of older ones whoever looks narrows the list. */
const MOST_LISTED = 500;
/** Sheets that were read lately, by their digests. */
const MOST_SHEETS = 64;

export interface HubFeaturesOptions {
	ask: Ask;
	scope: HubScope;
	/** False: names, times and numbers alone. */
	content: boolean;
	/** Within the same scope. */
	reads: Pick<SessionReads, 'events'>;
	/** Undefined where the hub has no object store. */
	files: FeatureFiles | undefined;
	reels: HubReels;
}

/** What people read at a hub of archived features. `id` is `MACHINE/ID`; what is not in scope is `feature/not-found`. */
export interface HubFeatures {
	/** Those that fit, the newest first; `more` where there are more. */
	list(wish: FeaturesQuery): Promise<{ features: FeatureRecord[]; more?: true }>;
	detail(id: string): Promise<FeatureDetail>;
	/** A handoff or large value by its path below its session's folder. Rejects with `file/not-found`, `hub/archive-away`. */
	file(id: string, sessionName: string, name: string): Promise<Buffer>;
	replay: ReplayDesk;
}

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

const COLUMNS = 's.edge, s.id, s.team, s.record, s.digest, s.stored, e.name AS machine, t.name AS team_name';
const TABLES = 'features s JOIN edges e ON e.id = s.edge JOIN teams t ON t.id = s.team';

/** Over the hub's database and object store, as far as one scope reaches. */
export function createHubFeatures({ ask, scope, content, reads, files, reels }: HubFeaturesOptions): HubFeatures {
	const sheets = new LruMap<string, FeatureSheet>(MOST_SHEETS);

	async function demand(name: string): Promise<{ line: Line; edge: number; sheet: FeatureSheet }> {
		const [, edge = '', id = ''] = /^(\d{1,9})\/(.+)$/.exec(name) ?? [];
		const wanted = [...scopeValues(scope), Number(edge), id];
		const [line] = await ask<Line>(
			`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${IN_SCOPE} AND s.edge = $3 AND s.id = $4 AND s.sheet IS NOT NULL`,
			wanted,
		);
		if (!line) throw new AppError('feature/not-found');
		const known = sheets.get(line.digest);
		if (known) return { line, edge: line.edge, sheet: known };
		const [read] = await ask<{ sheet: string | null }>('SELECT sheet FROM features WHERE edge = $1 AND id = $2', [
			line.edge,
			line.id,
		]);
		const sheet = readSheet(line.id, read?.sheet ?? '');
		// It was replaced or has gone meanwhile.
		if (typeof sheet === 'string') throw new AppError('feature/not-found');
		sheets.set(line.digest, sheet);
		return { line, edge: line.edge, sheet };
	}

	function recordOf({ edge, record, machine, team_name }: Line): FeatureRecord {
		const { outcome, ...feature } = JSON.parse(record) as FeatureRecord;
		return {
			...feature,
			id: `${edge}/${feature.id}`,
			sessions: feature.sessions.map((sessionId) => hubNameOf({ edge, sessionId })),
			...(outcome && { outcome: withoutSpans(outcome) }),
			machine: { name: machine, team: team_name },
			...(!content && { tasks: { ...feature.tasks, next: [] } }),
		};
	}

	/** Null where its machine has kept it, or the store does not give it now. */
	async function textOf({ team, edge, id, stored }: Line, digest: string): Promise<string | null> {
		if (!files || !stored) return null;
		const bytes = await files.get({ team, edge, feature: id, digest }).catch(() => null);
		return bytes?.toString('utf8') ?? null;
	}

	return {
		async list({ session, team = null, machine = null, project = null }) {
			const of = session === undefined ? undefined : readHubName(session);
			if (session !== undefined && !of) return { features: [] };
			const lines = await ask<Line>(
				`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${IN_SCOPE} AND s.record IS NOT NULL
				AND ($3::text IS NULL OR t.name = $3) AND ($4::text IS NULL OR e.name = $4) AND ($5::text IS NULL OR s.project = $5)
				AND ($6::int IS NULL OR s.edge = $6 AND $7 = ANY (s.sessions))
				ORDER BY s.archived_at DESC, s.edge, s.id LIMIT ${MOST_LISTED + 1}`,
				[...scopeValues(scope), team, machine, project, of?.edge ?? null, of?.sessionId ?? null],
			);
			const features = lines.slice(0, MOST_LISTED).map(recordOf);
			return { features, ...(lines.length > MOST_LISTED && { more: true as const }) };
		},

		async detail(name) {
			const { line, edge, sheet } = await demand(name);
			const { manifest, unshared, left } = sheet;
			const shown = manifest.documents.filter((document) => isShown(document.name)).sort(byName);
			const documents = shown.map(async (document): Promise<FeatureText> => {
				return featureText(document.name, await textOf(line, document.sha256));
			});
			const handoffs = manifest.sessions.flatMap(({ sessionId, files: kept }) =>
				kept.filter((file) => file.name.startsWith('handoffs/')).map((file) => ({ sessionId, file })),
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

		async file(id, sessionName, name) {
			const { line, edge, sheet } = await demand(id);
			const of = readHubName(sessionName);
			const session = of?.edge === edge && sheet.manifest.sessions.find(({ sessionId }) => sessionId === of.sessionId);
			const file = session ? session.files.find((kept) => kept.name === name) : undefined;
			if (!file || !files || !line.stored) throw new AppError('file/not-found');
			if (name.startsWith('blobs/') && name !== `blobs/${file.sha256}`) throw new AppError('file/changed');
			const { team, id: feature } = line;
			return files.get({ team, edge, feature, digest: file.sha256 });
		},

		replay: createHubRecordings({ ask, scope, reads, reels, demand }),
	};
}

/** Decisions are not asked for by parts of sessions at a hub. */
function withoutSpans({ spans: _, ...counts }: FeatureOutcome): FeatureOutcome {
	return counts;
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
