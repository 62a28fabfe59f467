import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionFolder, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import type { ManifestFile, ManifestSession } from '#lib/contract/archives/features.ts';
import { isKeptName } from '../features/keep-files.ts';

/** Folds of the timeline; without it they mean nothing, and a copy of it makes them again. */
const CHECKPOINTS = ['workflow.json', 'loop.json'] as const;

/** What still lies in the home of a session that an archive keeps. */
export interface LeftFiles {
	/** Absolute; absent where it is gone. */
	timeline?: string;
	/** Large values and handoffs that the archive names, with where they lie. */
	files: { path: string; kept: ManifestFile }[];
	checkpoints: string[];
	/** Of all of them, on disk. */
	bytes: number;
	/** When one of them was last written, in ms since the epoch. */
	at: number;
}

/** Looks for what a session has left in its folder; null where nothing of it is there. Links are passed over. */
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
		if (isKeptName(kept.name) && has(path)) left.files.push({ path, kept });
	}
	left.checkpoints = CHECKPOINTS.map((name) => join(folder, name)).filter(has);
	return left.bytes === 0 ? null : left;
}

/** Whether a session's timeline is, from its first byte to its last, what the archive has. */
export async function isKeptWhole({ timelines }: ManifestSession, path: string): Promise<boolean> {
	const last = timelines.at(-1);
	const found = await digestOf(path);
	return last !== undefined && found.bytes === last.bytes && found.sha256 === last.sha256;
}

/** Whether a file is still the one that the archive has. */
export async function isKeptFile({ path, kept }: LeftFiles['files'][number]): Promise<boolean> {
	const bytes = await readFile(path).catch(() => null);
	return bytes !== null && createHash('sha256').update(bytes).digest('hex') === kept.sha256;
}

/** The digest of a file's first bytes, or of all of it. Rejects where it cannot be read. */
export async function digestOf(path: string, length?: number): Promise<{ bytes: number; sha256: string }> {
	const hash = createHash('sha256');
	let bytes = 0;
	if (length !== 0)
		for await (const chunk of createReadStream(path, length === undefined ? {} : { end: length - 1 })) {
			hash.update(chunk);
			bytes += chunk.length;
		}
	return { bytes, sha256: hash.digest('hex') };
}
