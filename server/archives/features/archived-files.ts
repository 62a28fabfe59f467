import { hash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import type { ManifestFile } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';

/** Files of a session that are archived beside its timeline, by name. */
const FILES = [
	{ name: 'blobs', pattern: /^[0-9a-f]{64}$/ },
	{ name: 'handoffs', pattern: /^[\w-][\w.:-]{0,150}$/ },
] as const;
const MAX_FILES = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** Where a file of a session is kept below the archive's folder. */
export function archivedFilePath(
	folder: string,
	sessionId: string,
	{ name, packed }: Pick<ManifestFile, 'name' | 'packed'>,
) {
	return join(folder, 'files', sessionId, packed ? `${name}.gz` : name);
}

/** Whether an archive may hold a file of this name: nothing else is ever opened, whatever a manifest says. */
export function isArchivable(path: string): boolean {
	const [part, entry, ...rest] = path.split('/');
	return (
		rest.length === 0 && FILES.some(({ name, pattern }) => name === part && entry !== undefined && pattern.test(entry))
	);
}

/**
 * Rejects with `file/not-found` if it is gone or named otherwise, and with `file/changed` if its content is not the manifest's.
 */
export async function readArchivedFile(folder: string, sessionId: string, file: ManifestFile): Promise<Buffer> {
	if (!isArchivable(file.name)) throw new AppError('file/not-found');
	const stored = await readFile(archivedFilePath(folder, sessionId, file)).catch(() => {
		throw new AppError('file/not-found');
	});
	const bytes = file.packed ? await unpack(stored, { maxOutputLength: MAX_BYTES }).catch(() => null) : stored;
	if (bytes === null || hash('sha256', bytes) !== file.sha256) throw new AppError('file/changed');
	return bytes;
}

/**
 * Copies a session's large values and handoffs, compressed. Repeatable; what is gone from the session stays in the archive.
 * Links, folders and files over 32 MiB are left out. Rejects if the disk refuses.
 */
export async function copyFiles(
	sessionFolder: string,
	folder: string,
	sessionId: string,
	kept: readonly ManifestFile[],
): Promise<ManifestFile[]> {
	const files = new Map(kept.map((file) => [file.name, file]));
	for (const { name: part, pattern } of FILES) {
		for (const entry of namesIn(join(sessionFolder, part), pattern)) {
			const name = `${part}/${entry}`;
			const path = join(sessionFolder, name);
			const stats = lstatSync(path, { throwIfNoEntry: false });
			// A blob is named by its content, so an archived one is never read again.
			if (!stats?.isFile() || stats.size > MAX_BYTES || (part === 'blobs' && files.has(name))) continue;
			const bytes = await readFile(path);
			const sha256 = hash('sha256', bytes);
			if (files.get(name)?.sha256 === sha256) continue;
			const file: ManifestFile = { name, bytes: bytes.length, sha256, packed: true };
			await storeFile(folder, sessionId, file, bytes);
			files.set(name, file);
		}
	}
	return [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes a file of an archive, compressed, to the path in its manifest. */
export async function storeFile(folder: string, sessionId: string, file: ManifestFile, bytes: Buffer): Promise<void> {
	await writeSynced(archivedFilePath(folder, sessionId, file), file.packed ? await pack(bytes) : bytes);
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
	makeFolder(dirname(path));
	// Synced first, so that it survives a power cut if the manifest names it.
	const half = `${path}.${process.pid}.half`;
	await writeFile(half, bytes, { mode: 0o600, flush: true });
	await rename(half, path);
}

function namesIn(folder: string, pattern: RegExp): string[] {
	try {
		return readdirSync(folder)
			.filter((name) => pattern.test(name))
			.slice(0, MAX_FILES);
	} catch {
		return [];
	}
}
