import { existsSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import {
	archivePath,
	archivesPath,
	finishClaim,
	listArchives,
	readOrigin,
} from '#hooks-bridge/features/archive-claim.ts';
import { listState, OPEN_STATES } from '#hooks-bridge/features/feature-folders.ts';
import { projectHash, readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import { type FoundFeature, findFeature, readFeatureIn } from '#hooks-bridge/features/read-features.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { FeatureOutcome, FeatureProject, FeatureRecord } from '#lib/contract/archives/features.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { parseArchiveFolder } from '#lib/features/feature-name.ts';
import { usageOfSessions } from '#lib/features/feature-work.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { isJson, parsedJson } from '#lib/json/json.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { inTurns } from '../../process/in-turns.ts';
import { isFolder } from '../../process/is-folder.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readManifest, readOutcome } from './archive-sync.ts';

const MAX_KEPT = 20_000;

export interface FeatureCatalogOptions {
	home: string;
	views: () => SessionView[];
	ports: Pick<Ports, 'projectRootOf'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}

type Projects = ReadonlyMap<string, KnownProject>;
/** The client of each known session. */
type Makes = ReadonlyMap<string, string>;

export interface CatalogEntry {
	project: KnownProject;
	found: FoundFeature;
	record: FeatureRecord;
}

/** The features of all known projects. What has not changed on disk is not read again. */
export function createFeatureCatalog({ home, views, ports, now }: FeatureCatalogOptions) {
	const files = new LruMap<string, { stamp: string; found: FoundFeature }>(MAX_KEPT);
	const archives = new LruMap<string, { stamp: string; sessions: string[]; outcome: FeatureOutcome | null }>(MAX_KEPT);
	const roots = new Map<string, string>();
	const moved = createMovedArchives(home);

	function* archiveRoots(): Generator<string> {
		for (const id of listArchives(home, now())) {
			const root = roots.get(id) ?? readOrigin(home, id)?.root;
			if (root === undefined) continue;
			roots.set(id, root);
			yield root;
		}
	}

	const projects = () => knownProjects({ views, ports, moreRoots: archiveRoots });
	/** The client of every session, wherever its project was. */
	const allMakes = (): Makes => new Map(views().map((view) => [view.sessionId, makeOf(view)]));

	function read(root: string, state: FoundFeature['state'], folder: string): FoundFeature {
		const path = join(root, 'specs/features', state === 'archived' ? 'archive' : state, folder);
		const stamp = fileStamp(join(path, 'tasks.md'));
		const known = files.get(path);
		if (known?.stamp === stamp) return known.found;
		const found = readFeatureIn(root, state, folder);
		files.set(path, { stamp, found });
		return found;
	}

	function archive(id: string) {
		const parts = ['manifest.json', 'outcome.json'].map((name) => join(archivePath(home, id), name));
		const stamp = parts.map(fileStamp).join('\n');
		const known = archives.get(id);
		if (known?.stamp === stamp) return known;
		const sessions = readManifest(home, id)?.sessions.map(({ sessionId }) => sessionId) ?? [];
		const fresh = { stamp, sessions, outcome: readOutcome(home, id) };
		archives.set(id, fresh);
		return fresh;
	}

	function recordOf(project: KnownProject, found: FoundFeature, all: Projects, makes: Makes): FeatureRecord {
		const { feature: name, state, folder, header, tasks } = found;
		const id = state === 'archived' ? moved.idOf(project, found, all) : `${project.hash}-${folder}`;
		if (state === 'archived' && roots.has(id)) roots.set(id, project.root);
		const kept = state === 'archived' ? archive(id) : undefined;
		const archivedAt = state === 'archived' ? (header.archivedAt ?? folder.slice(0, 10)) : undefined;
		return {
			id,
			project: basename(project.root),
			name,
			state,
			tasks,
			...(header.workflow && { workflow: header.workflow }),
			...(header.created && { created: header.created }),
			...(archivedAt && { archivedAt }),
			...(kept ? archivedSessions(kept, makes) : workOn(project, name)),
		};
	}

	/** The last archive of a feature without an open folder. */
	function lastArchived({ root }: KnownProject, name: string): FoundFeature | undefined {
		const folders = listState(root, 'archive').flatMap((folder) => {
			const read = parseArchiveFolder(folder);
			return read?.feature === name ? [{ folder, ...read }] : [];
		});
		const last = folders.sort((a, b) => (a.date === b.date ? a.nth - b.nth : a.date < b.date ? -1 : 1)).at(-1);
		return last && findFeature(root, last.folder);
	}

	function* allRecords(): Generator<undefined, FeatureRecord[]> {
		const records: FeatureRecord[] = [];
		const all = projects();
		const makes = allMakes();
		for (const project of all.values()) {
			for (const state of [...OPEN_STATES, 'archived'] as const) {
				for (const folder of listState(project.root, state === 'archived' ? 'archive' : state)) {
					records.push(recordOf(project, read(project.root, state, folder), all, makes));
					yield;
				}
			}
		}
		return records;
	}

	return {
		/** All features: open ones first, then the archive, newest first. Lets the event loop turn. */
		async list(): Promise<FeatureRecord[]> {
			const records = await inTurns(allRecords());
			const rank = ({ archivedAt = '~' }: FeatureRecord) => archivedAt;
			return records.sort((a, b) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : 0));
		},

		projects: (): FeatureProject[] =>
			[...projects().values()]
				.filter(({ root }) => !root.startsWith(`${archivesPath(home)}/`))
				.map(({ root, hash }) => ({ id: hash, name: basename(root), root }))
				.sort((a, b) => a.name.localeCompare(b.name)),

		rootOf: (id: string): string | undefined => projects().get(id)?.root,

		/** One feature by its id. With `orArchived`, an id from before it was archived finds its last archive. */
		find(id: string, orArchived = false): CatalogEntry | undefined {
			const parts = readFeatureId(id);
			if (!parts) return undefined;
			const all = projects();
			const makes = allMakes();
			const named = all.get(parts.project);
			// A moved or imported project still has the archive's id in its manifest.
			for (const project of new Set(named ? [named, ...all.values()] : all.values())) {
				const found =
					findFeature(project.root, parts.nameOrFolder) ??
					(orArchived ? lastArchived(project, parts.nameOrFolder) : undefined);
				const record = found && recordOf(project, found, all, makes);
				if (found && record && (project === named || record.id === id)) return { project, found, record };
			}
			return undefined;
		},
	};
}

export type FeatureCatalog = ReturnType<typeof createFeatureCatalog>;

const makeOf = ({ agent = FIRST_AGENT }: SessionView) => agent;

/** The sessions in an archive, and their current state. */
function archivedSessions(
	{ sessions, outcome }: { sessions: string[]; outcome: FeatureOutcome | null },
	makes: Makes,
): Pick<FeatureRecord, 'sessions' | 'makes' | 'outcome'> {
	const theirs = new Set(sessions.flatMap((id) => makes.get(id) ?? []));
	return { sessions, makes: [...theirs].sort(), ...(outcome && { outcome }) };
}

/** The known sessions that work on a feature, and the tokens of their models. */
function workOn(project: KnownProject, feature: string): Pick<FeatureRecord, 'sessions' | 'makes' | 'usage'> {
	const views = project.views.filter(
		({ sessionId, workflow }) => sessionId !== HOME_SESSION && workflow?.featureName === feature,
	);
	const usage = usageOfSessions(views);
	const makes = [...new Set(views.map(makeOf))].sort();
	return { sessions: views.map(({ sessionId }) => sessionId), makes, ...(usage && { usage }) };
}

const MAX_IDS = 20_000;

/** An archive's id contains its project's path at that time; the project may have moved since. */
function createMovedArchives(home: string) {
	const knownIds = new LruMap<string, { stamp: string; id: string }>(MAX_IDS);

	/** The id in the manifest beside the documents; empty without one. */
	function idIn(root: string, path: string): string {
		const manifest = join(root, path, 'manifest.json');
		const stamp = fileStamp(manifest);
		const known = knownIds.get(manifest);
		if (known?.stamp === stamp) return known.id;
		const read = stamp === '' ? null : readBounded(manifest, root);
		const kept = read?.ok ? parsedJson(read.text) : undefined;
		const id = isJson(kept) && 'id' in kept ? String(kept.id) : '';
		knownIds.set(manifest, { stamp, id });
		return id;
	}

	return {
		/**
		 * An archive's id: from its path, or from its manifest if it was imported, or if the project at the original path is
		 * gone.
		 */
		idOf({ root, hash }: KnownProject, found: FoundFeature, projects: ReadonlyMap<string, KnownProject>): string {
			const own = `${hash}-${found.folder}`;
			if (existsSync(archivePath(home, own))) return own;
			const id = idIn(root, found.path);
			const parts = readFeatureId(id);
			if (parts?.nameOrFolder !== found.folder) return own;
			const origin = readOrigin(home, id);
			if (!origin || origin.folder !== found.folder || origin.by) return own;
			const named = projects.get(parts.project);
			// An import belongs to its own folder, even if the project that made it is known here.
			if (origin.root === root) return named && existsSync(join(named.root, found.path)) ? own : id;
			// A clone has the same manifest; the archive belongs to the project that is still at its path.
			if (named || existsSync(origin.root)) return own;
			finishClaim(home, id, { ...origin, root });
			return id;
		},
	};
}

interface KnownProjectsOptions {
	views: () => SessionView[];
	ports: Pick<Ports, 'projectRootOf'>;
	/** Roots known from elsewhere, such as archives. */
	moreRoots: () => Iterable<string>;
}

/** An existing project of a session or archive. */
interface KnownProject {
	/** Absolute. */
	root: string;
	hash: string;
	/** The sessions whose last working directory is inside it. */
	views: SessionView[];
}

/** All known projects, by hash. */
function knownProjects({ views, ports, moreRoots }: KnownProjectsOptions): Map<string, KnownProject> {
	const byRoot = new Map<string, SessionView[]>();
	for (const root of moreRoots()) byRoot.set(root, []);
	for (const view of views()) {
		if (view.cwd === undefined || !isAbsolute(view.cwd)) continue;
		const root = ports.projectRootOf(view.cwd);
		byRoot.set(root, [...(byRoot.get(root) ?? []), view]);
	}
	const projects = new Map<string, KnownProject>();
	for (const [root, ownViews] of byRoot) {
		if (!isFolder(root)) continue;
		const hash = projectHash(root);
		projects.set(hash, { root, hash, views: [...(projects.get(hash)?.views ?? []), ...ownViews] });
	}
	return projects;
}
