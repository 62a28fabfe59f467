import { hash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Manifest, ManifestDocument } from '#lib/contract/archives/features.ts';
import { readBoundedBytes } from '../disk/bounded-read.ts';
import { isOwnFolder } from '../disk/own-folder.ts';
import { readState, stateText } from '../disk/state-file.ts';
import { writeDurably } from '../disk/write-durably.ts';
import {
	type ArchiveOrigin,
	archivePath,
	dropClaim,
	isOrphaned,
	listArchives,
	readOrigin,
	settleClaim,
} from './archive-claim.ts';
import { featureEvent } from './feature-event.ts';
import { stateFolder } from './feature-folders.ts';
import type { FeaturePorts } from './feature-ports.ts';
import { setTasksHeader, writeDocument } from './tasks-document.ts';

const MAX_DOCUMENTS = 200;

/** What follows the rename: header, manifest, events. May be done again after a crash; see `archiveFeature`. */
export function settleArchive(id: string, origin: ArchiveOrigin, world: FeaturePorts): void {
	const path = join(stateFolder('archive'), origin.folder);
	const folder = join(origin.root, path);
	const archivedAt = new Date(origin.archivedAt).toISOString();
	setTasksHeader(origin.root, folder, { status: 'archived', archivedAt });
	writeManifest(world.home, id, origin, readManifest(world.home, id) ?? firstManifest(id, origin, archivedAt));
	for (const sessionId of origin.sessions) tellArchived(sessionId, origin, world);
	settleClaim(world.home, id, origin);
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

/** The manifest that a process before wrote; it may hold more than a first one would. */
function readManifest(home: string, id: string): Manifest | null {
	const found = readState(join(archivePath(home, id), 'manifest.json'));
	return typeof found === 'object' ? (found as Manifest | null) : null;
}

/** Notes the sessions that the search has found, and tells those that did not know of it that they are archived. */
export function addSessions(id: string, origin: ArchiveOrigin, found: readonly string[], world: FeaturePorts): void {
	const fresh = found.filter((sessionId) => !origin.sessions.includes(sessionId));
	for (const sessionId of fresh) tellArchived(sessionId, origin, world);
	const { searchDue: _due, ...searched } = origin;
	settleClaim(world.home, id, { ...searched, sessions: [...origin.sessions, ...fresh] });
}

function tellArchived(sessionId: string, origin: ArchiveOrigin, world: FeaturePorts): void {
	const fields = { featureName: origin.feature, archivePath: join(stateFolder('archive'), origin.folder) };
	world.append(sessionId, [featureEvent('specs:archive', sessionId, origin.archivedAt, fields)]);
}

/** Writes the manifest: into the state root first, then beside the documents, where these still are. */
export function writeManifest(home: string, id: string, origin: ArchiveOrigin, manifest: Manifest): void {
	const text = stateText(manifest);
	writeDurably(join(archivePath(home, id), 'manifest.json'), text);
	const folder = join(origin.root, stateFolder('archive'), origin.folder);
	if (existsSync(folder) && isOwnFolder(origin.root, folder)) {
		writeDocument(folder, 'manifest.json', text);
	}
}

/** Ends what processes that died left between claim and end. Gives the ids of the archives that were finished. */
export function recoverArchives(world: FeaturePorts): string[] {
	const finished: string[] = [];
	for (const id of listArchives(world.home, world.now())) {
		const origin = readOrigin(world.home, id);
		if (!origin || !isOrphaned(origin)) continue;
		if (existsSync(join(origin.root, stateFolder('archive'), origin.folder))) {
			settleArchive(id, origin, world);
			finished.push(id);
		} else if (existsSync(origin.root)) dropClaim(world.home, id);
	}
	return finished;
}

/** Every document in the folder with its bytes and digest; links, hidden files and the manifest are left out. */
export function listDocuments(root: string, folder: string): ManifestDocument[] {
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
	try {
		return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
	} catch {
		return [];
	}
}
