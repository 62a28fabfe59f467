import { createHash } from 'node:crypto';
import {
	createReadStream,
	existsSync,
	linkSync,
	lstatSync,
	readdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	statSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sessionFolder, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { appendDurably, syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { archivePath, archivesPath } from '#hooks-bridge/features/archive-claim.ts';
import type { ManifestFile, ManifestSession } from '#lib/contract/archives/features.ts';
import type { RetentionItem } from '#lib/contract/archives/retention.ts';
import { AppError } from '#lib/contract/errors.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { readManifest } from '../features/archive-sync.ts';
import { isArchivable } from '../features/archived-files.ts';
import { recordingsFolder } from '../replay/replay-service.ts';

/** Called between any two changes of the disk; a test stops there. */
export type Step = () => void;

/** Items are moved here before their files are deleted. */
const asideFolder = (home: string, what: RetentionItem['what']) => join(home, 'pruned', `${what}s`);

/**
 * Removes an archive, or a session's own files, by one rename. After a crash `finishRemovals` does the rest. Rejects if the disk
 * refuses.
 */
export async function removeItem(home: string, { what, id, archive }: RetentionItem, step: Step): Promise<void> {
	if (what === 'archive') return removeArchive(home, id, step);
	const session = readManifest(home, archive)?.sessions.find(({ sessionId }) => sessionId === id);
	const left = session && leftFiles(home, session);
	if (!session || !left) return;
	if (left.timeline !== undefined) {
		const aside = join(asideFolder(home, 'session'), archive, `${id}.jsonl`);
		moveAside(left.timeline, aside);
		step();
		await restoreTimeline(home, aside, session, step);
	}
	for (const file of left.files) {
		// A file written since is not in the archive.
		if (await isArchivedFile(file)) rmSync(file.path, { force: true });
		step();
	}
	for (const path of left.checkpoints) rmSync(path, { force: true });
	step();
	const folder = sessionFolder(home, id);
	for (const name of ['blobs', 'handoffs', '.']) removeEmpty(join(folder, name));
	syncFolder(join(home, 'sessions'));
}

function removeArchive(home: string, id: string, step: Step): void {
	const aside = join(asideFolder(home, 'archive'), id);
	moveAside(archivePath(home, id), aside);
	syncFolder(archivesPath(home));
	step();
	rmSync(join(recordingsFolder(home), id), { recursive: true, force: true });
	step();
	rmSync(aside, { recursive: true, force: true });
}

function moveAside(from: string, to: string): void {
	makeFolder(dirname(to));
	if (existsSync(to)) throw new AppError('file/changed', `${to} is there from an earlier run; look at it.`);
	renameSync(from, to);
	syncFolder(dirname(to));
}

/** Restores lines that a hook appended after the comparison, or the whole timeline if the archive lost it. */
async function restoreTimeline(home: string, aside: string, session: ManifestSession, step: Step): Promise<void> {
	const { sessionId, timelines } = session;
	const path = timelinePath(home, sessionId);
	const last = timelines.at(-1);
	const start = last && (await digestOf(aside, last.bytes));
	if (last && start?.bytes === last.bytes && start.sha256 === last.sha256) {
		const tail = await buffer(createReadStream(aside, { start: last.bytes }));
		if (tail.length > 0) {
			makeFolder(dirname(path));
			appendDurably(path, tail);
		}
		step();
		rmSync(aside, { force: true });
		return;
	}
	makeFolder(dirname(path));
	// Throws if another timeline was started meanwhile: then both stay.
	linkSync(aside, path);
	rmSync(aside);
	throw new AppError('file/changed', `The timeline of ${sessionId} was changed meanwhile; it stays.`);
}

/** Finishes the removals of a process that died. What cannot be finished stays, and is reported to `failed`. */
export async function finishRemovals(
	home: string,
	failed: (error: unknown) => void,
	step: Step = () => undefined,
): Promise<void> {
	for (const id of namesIn(asideFolder(home, 'archive'))) {
		rmSync(join(recordingsFolder(home), id), { recursive: true, force: true });
		rmSync(join(asideFolder(home, 'archive'), id), { recursive: true, force: true });
		step();
	}
	for (const archive of namesIn(asideFolder(home, 'session'))) {
		const folder = join(asideFolder(home, 'session'), archive);
		for (const name of namesIn(folder)) {
			const sessionId = name.replace(/\.jsonl$/, '');
			if (!isSafeId(sessionId)) continue;
			try {
				const kept = readManifest(home, archive)?.sessions.find((session) => session.sessionId === sessionId);
				const session = kept ?? { sessionId, ended: false, timelines: [], files: [] };
				await restoreTimeline(home, join(folder, name), session, step);
			} catch (error) {
				failed(error);
			}
		}
		removeEmpty(folder);
	}
}

function namesIn(folder: string): string[] {
	return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

function removeEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {
		// The folder is not empty, or already gone.
	}
}

/** Folds of the timeline, which can be made again from its copy. */
const CHECKPOINTS = ['workflow.json', 'loop.json'] as const;

export interface LeftFiles {
	/** Absolute; absent once it is removed. */
	timeline?: string;
	/** Large values and handoffs that the archive names. */
	files: { path: string; kept: ManifestFile }[];
	checkpoints: string[];
	/** Size on disk. */
	bytes: number;
	/** The time of the last write, in ms since the epoch. */
	at: number;
}

/** Finds the files of a session; null without any. Links are ignored. */
export function leftFiles(home: string, { sessionId, files }: ManifestSession): LeftFiles | null {
	const folder = sessionFolder(home, sessionId);
	if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
	const left: LeftFiles = { files: [], checkpoints: [], bytes: 0, at: 0 };
	const has = (path: string): boolean => {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (!stat?.isFile()) return false;
		left.bytes += stat.size;
		left.at = Math.max(left.at, stat.mtimeMs);
		return true;
	};
	if (has(timelinePath(home, sessionId))) left.timeline = timelinePath(home, sessionId);
	for (const kept of files) {
		const path = join(folder, kept.name);
		if (isArchivable(kept.name) && has(path)) left.files.push({ path, kept });
	}
	left.checkpoints = CHECKPOINTS.map((name) => join(folder, name)).filter(has);
	return left.bytes === 0 ? null : left;
}

/** Whether the archive has this whole timeline. */
export async function isArchivedWhole({ timelines }: ManifestSession, path: string): Promise<boolean> {
	const last = timelines.at(-1);
	const found = await digestOf(path);
	return last !== undefined && found.bytes === last.bytes && found.sha256 === last.sha256;
}

/** Whether the archive has this file. */
async function isArchivedFile({ path, kept }: LeftFiles['files'][number]): Promise<boolean> {
	const bytes = await readFile(path).catch(() => null);
	return bytes !== null && createHash('sha256').update(bytes).digest('hex') === kept.sha256;
}

/** The digest of a file's first bytes, or of all of it. Rejects if it cannot be read. */
async function digestOf(path: string, length?: number): Promise<{ bytes: number; sha256: string }> {
	const hash = createHash('sha256');
	let bytes = 0;
	if (length !== 0)
		for await (const chunk of createReadStream(path, length === undefined ? {} : { end: length - 1 })) {
			hash.update(chunk);
			bytes += chunk.length;
		}
	return { bytes, sha256: hash.digest('hex') };
}
