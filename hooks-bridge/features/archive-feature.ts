import { hash } from 'node:crypto';
import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Manifest, ManifestDocument } from '#lib/contract/archives/features.ts';
import { archiveFolderName, isFeatureName } from '#lib/features/feature-name.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { isOwnFolder, readBoundedBytes } from '../disk/bounded-read.ts';
import { tryTo } from '../disk/try-to.ts';
import { writeDurably } from '../disk/write-durably.ts';
import { readState, stateText } from '../disk/write-files.ts';
import {
	type ArchiveOrigin,
	archivePath,
	claimArchive,
	dropClaim,
	finishClaim,
	isOrphaned,
	listArchives,
	readOrigin,
	tryMove,
} from './archive-claim.ts';
import {
	type FeatureChange,
	featureEvent,
	type HomePorts,
	refuse,
	refuseFolder,
	refuseName,
} from './feature-change.ts';
import { findState, makeStateFolder, stateFolder } from './feature-folders.ts';
import { featureId } from './feature-id.ts';
import { sessionsOfFeature } from './feature-sessions.ts';
import { readTasks, setTasksHeader, writeDocument } from './tasks-document.ts';

const MAX_PER_DAY = 999;

/** What is known about a feature's sessions. */
export interface ArchiveSessions {
	/** The result of `searchSessions`; `later` leaves the search to the server, for a hook that must answer soon. */
	found?: readonly string[] | 'later';
	sessions?: readonly string[];
}

/** The new place of a feature. */
export interface Archived {
	/** The archive's id: its folder below `archive/` of the state root, and its name in the API. */
	id: string;
	/** The folder's name, `YYYY-MM-DD_<feature>` with `_2`, `_3` on clash. */
	folder: string;
	/** Relative to the project, as in the `specs:archive` event. */
	path: string;
	/** The sessions that belong to it, as far as known now. */
	sessions: string[];
}

/**
 * Archives a feature and binds its sessions: those found in the timelines (unless `found` is given) and `sessions`. Synchronous,
 * without a lock, never overwrites; throws if the disk refuses. Safe in a crash, by its order: (1) a claim in the state root; (2)
 * one rename moves the folder, which archives the feature; (3) header, manifest and events, then the claim ends.
 * `recoverArchives` drops a claim that never reached (2), and otherwise repeats (3). The timelines are copied later.
 */
export function archiveFeature(
	projectRoot: string,
	feature: string,
	ports: HomePorts & ArchiveSessions,
): FeatureChange<Archived> {
	if (!isFeatureName(feature)) return refuseName();
	const state = findState(projectRoot, feature);
	if (!state) return refuse('feature/not-found', `There is no feature ${feature} to archive.`);
	const target = makeStateFolder(projectRoot, 'archive');
	if (!target) return refuseFolder('archive');

	const source = join(projectRoot, stateFolder(state), feature);
	if (lstatSync(join(source, 'manifest.json'), { throwIfNoEntry: false }))
		return refuse('feature/state', `Rename ${feature}'s own manifest.json: the archive writes one.`);
	const origin = originOf(projectRoot, feature, source, ports);
	for (let nth = 1; nth <= MAX_PER_DAY; nth++) {
		const folder = archiveFolderName(feature, origin.archivedAt, nth);
		if (lstatSync(join(target, folder), { throwIfNoEntry: false })) continue;
		const id = featureId(projectRoot, folder);
		const claim = { ...origin, folder };
		if (!claimArchive(ports.home, id, claim)) continue;
		const moved = tryMove(source, join(target, folder));
		if (moved !== 'moved') dropClaim(ports.home, id);
		if (moved === 'gone') return refuse('feature/not-found', `Somebody else has just moved ${feature}.`);
		if (moved === 'taken') continue;
		finishArchive(id, claim, ports);
		return { ok: true, id, folder, path: join(stateFolder('archive'), folder), sessions: origin.sessions };
	}
	return refuse('feature/busy', `No free name is left for ${feature} in the archive today.`);
}

function originOf(root: string, feature: string, source: string, ports: HomePorts & ArchiveSessions): ArchiveOrigin {
	const { header } = readTasks(root, source);
	const since = Date.parse(header.created ?? '');
	const later = ports.found === 'later';
	const found =
		ports.found === 'later' ? [] : (ports.found ?? sessionsOfFeature({ home: ports.home, root, feature, since }));
	return {
		root,
		folder: '',
		feature,
		archivedAt: ports.now(),
		sessions: [...new Set([...found, ...(ports.sessions ?? [])])].filter(isSafeId),
		...(later && { searchDue: true as const }),
		...(header.workflow && { workflow: header.workflow }),
		...(header.created && { created: header.created }),
	};
}

const MAX_DOCUMENTS = 200;

/** Everything after the rename: header, manifest, events. May be repeated after a crash; see `archiveFeature`. */
function finishArchive(id: string, origin: ArchiveOrigin, ports: HomePorts): void {
	const path = join(stateFolder('archive'), origin.folder);
	const folder = join(origin.root, path);
	const archivedAt = new Date(origin.archivedAt).toISOString();
	setTasksHeader(origin.root, folder, { status: 'archived', archivedAt });
	writeManifest(ports.home, id, origin, readManifest(ports.home, id) ?? firstManifest(id, origin, archivedAt));
	for (const sessionId of origin.sessions) recordArchived(sessionId, origin, ports);
	finishClaim(ports.home, id, origin);
}

function firstManifest(id: string, origin: ArchiveOrigin, archivedAt: string): Manifest {
	return {
		version: 1,
		id,
		feature: origin.feature,
		folder: origin.folder,
		...(origin.workflow && { workflow: origin.workflow }),
		...(origin.created && { created: origin.created }),
		archivedAt,
		documents: listDocuments(origin.root, join(origin.root, stateFolder('archive'), origin.folder)),
		sessions: origin.sessions.map((sessionId) => ({ sessionId, ended: false, timelines: [], files: [] })),
		complete: origin.sessions.length === 0 && !origin.searchDue,
	};
}

/** The manifest of an earlier attempt, which may contain more than a first one would. */
function readManifest(home: string, id: string): Manifest | null {
	const found = readState(join(archivePath(home, id), 'manifest.json'));
	return typeof found === 'object' ? (found as Manifest | null) : null;
}

/** Adds the sessions that the search has found, and records in their timelines that they are archived. */
export function addSessions(id: string, origin: ArchiveOrigin, found: readonly string[], ports: HomePorts): void {
	const fresh = found.filter((sessionId) => !origin.sessions.includes(sessionId));
	for (const sessionId of fresh) recordArchived(sessionId, origin, ports);
	const { searchDue: _due, ...searched } = origin;
	finishClaim(ports.home, id, { ...searched, sessions: [...origin.sessions, ...fresh] });
}

function recordArchived(sessionId: string, origin: ArchiveOrigin, ports: HomePorts): void {
	const fields = { featureName: origin.feature, archivePath: join(stateFolder('archive'), origin.folder) };
	ports.append(sessionId, [featureEvent('specs:archive', sessionId, origin.archivedAt, fields)]);
}

/** Writes the manifest: into the state root first, then beside the documents, if these still exist. */
export function writeManifest(home: string, id: string, origin: ArchiveOrigin, manifest: Manifest): void {
	const text = stateText(manifest);
	writeDurably(join(archivePath(home, id), 'manifest.json'), text);
	const folder = join(origin.root, stateFolder('archive'), origin.folder);
	if (existsSync(folder) && isOwnFolder(origin.root, folder)) {
		writeDocument(folder, 'manifest.json', text);
	}
}

/** Finishes or drops the claims of processes that died. Returns the ids of the archives that were finished. */
export function recoverArchives(ports: HomePorts): string[] {
	const finished: string[] = [];
	for (const id of listArchives(ports.home, ports.now())) {
		const origin = readOrigin(ports.home, id);
		if (!origin || !isOrphaned(origin)) continue;
		if (existsSync(join(origin.root, stateFolder('archive'), origin.folder))) {
			finishArchive(id, origin, ports);
			finished.push(id);
		} else if (existsSync(origin.root)) dropClaim(ports.home, id);
	}
	return finished;
}

/** Every document in the folder with its bytes and digest; links, hidden files and the manifest are left out. */
function listDocuments(root: string, folder: string): ManifestDocument[] {
	const found: ManifestDocument[] = [];
	const walk = (at: string, depth: number): void => {
		for (const entry of entriesOf(at)) {
			const path = join(at, entry.name);
			if (found.length >= MAX_DOCUMENTS || entry.name.startsWith('.')) continue;
			if (entry.isDirectory() && depth < 3) walk(path, depth + 1);
			if (!entry.isFile() || (depth === 0 && entry.name === 'manifest.json')) continue;
			const read = readBoundedBytes(path, root);
			if (!read.ok) continue;
			const { bytes } = read;
			found.push({ name: relative(folder, path), bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') });
		}
	};
	walk(folder, 0);
	return found;
}

function entriesOf(folder: string): Dirent[] {
	return tryTo(() => readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) ?? [];
}
