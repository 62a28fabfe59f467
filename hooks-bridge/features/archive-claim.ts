import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from '../disk/process-identity.ts';
import { systemErrorCode } from '../disk/system-error-code.ts';
import { tryTo } from '../disk/try-to.ts';
import { syncFolder, writeDurably } from '../disk/write-durably.ts';
import { makeFolder, readState, stateText } from '../disk/write-files.ts';

const DRAFT = /^\.claim-[\w-]{36}$/;
const DRAFT_LIFE_MS = 60_000;

/** Where an archive comes from. Stored in the state root only, since a path reveals much about a machine. */
export interface ArchiveOrigin {
	root: string;
	/** The archived feature's folder below `specs/features/archive`. */
	folder: string;
	feature: string;
	/** Milliseconds since the epoch. */
	archivedAt: number;
	sessions: string[];
	/** The timelines must still be searched for further sessions; the server does it. */
	searchDue?: true;
	workflow?: string;
	created?: string;
	/** An import: its sessions are not those of this home, even with the same ids. */
	imported?: true;
	/** The process that works on it; absent once everything but the timelines is done. */
	by?: ProcessIdentity;
}

/** The folder of all archives below the state root. */
export function archivesPath(home: string): string {
	return join(home, 'archive');
}

/** The folder of one archive's timelines. */
export function archivePath(home: string, id: string): string {
	return join(archivesPath(home), id);
}

/** Claims the archive's folder for one process: false if it exists already. The folder appears whole or not at all. */
export function claimArchive(home: string, id: string, origin: ArchiveOrigin): boolean {
	const draft = join(archivesPath(home), `.claim-${randomUUID()}`);
	makeFolder(draft);
	try {
		const by = identityOf(process.pid) ?? { pid: process.pid, start: null };
		writeDurably(join(draft, 'origin.json'), JSON.stringify({ ...origin, by }));
		renameSync(draft, archivePath(home, id));
		syncFolder(archivesPath(home));
		return true;
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (isOccupied(error)) return false;
		throw error;
	}
}

/** The folder that replaces the project for an archive from elsewhere: its documents are beside its timelines. */
export function importedRoot(home: string, id: string): string {
	return join(archivePath(home, id), 'imported');
}

/** Drops a claim whose rename never happened: it holds nothing but its origin. */
export function dropClaim(home: string, id: string): void {
	rmSync(archivePath(home, id), { recursive: true, force: true });
}

/** Records that the archive is complete. */
export function finishClaim(home: string, id: string, origin: ArchiveOrigin): void {
	const { by: _by, ...settled } = origin;
	writeDurably(join(archivePath(home, id), 'origin.json'), stateText(settled));
}

/** Whether the process that worked on the archive died before it was complete. */
export function isOrphaned({ by }: ArchiveOrigin): boolean {
	return by !== undefined && (by.pid === process.pid || !isAlive(by));
}

/** Where an archive comes from; null for a folder that is not one. */
export function readOrigin(home: string, id: string): ArchiveOrigin | null {
	const found = readState(join(archivePath(home, id), 'origin.json'));
	if (typeof found !== 'object' || found === null) return null;
	const origin = found as Partial<ArchiveOrigin>;
	const texts = [origin.root, origin.folder, origin.feature];
	if (!texts.every((text) => typeof text === 'string') || typeof origin.archivedAt !== 'number') return null;
	return Array.isArray(origin.sessions) ? (origin as ArchiveOrigin) : null;
}

/** The ids of all archives. Also removes drafts of processes that died. `now` in milliseconds. */
export function listArchives(home: string, now: number): string[] {
	const names = tryTo(() => removeOldDrafts(archivesPath(home), DRAFT, now)) ?? [];
	return names.filter((name) => /^[0-9a-f]{12}-[\w-]+$/.test(name)).sort();
}

/** Removes drafts of processes that died before the rename. Returns all names in the folder. `now` in milliseconds. */
export function removeOldDrafts(folder: string, drafts: RegExp, now: number): string[] {
	const names = readdirSync(folder);
	for (const name of names.filter((found) => drafts.test(found))) {
		const stat = statSync(join(folder, name), { throwIfNoEntry: false });
		if (stat && now - stat.mtimeMs > DRAFT_LIFE_MS) rmSync(join(folder, name), { recursive: true, force: true });
	}
	return names;
}

/** Whether a rename failed because its target exists: a folder with content, or a file. */
export function isOccupied(error: unknown): boolean {
	return ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
}

/** Renames a folder, never onto another one: `taken` if its target exists, `gone` if it does not exist itself. */
export function tryMove(from: string, to: string): 'moved' | 'taken' | 'gone' {
	try {
		renameSync(from, to);
		return 'moved';
	} catch (error) {
		if (isOccupied(error)) return 'taken';
		if (systemErrorCode(error) === 'ENOENT') return 'gone';
		throw error;
	}
}
