import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBounded } from './bounded-read.ts';
import { systemErrorCode } from './system-error-code.ts';

/** The desired content of a file; `mode` is exact. */
export interface WholeFile {
	path: string;
	content: string | Buffer;
	mode: number;
}

/**
 * As `writeThenRename`, but safe from a power cut: afterwards there is the old or the new file, never an empty one. Takes up to
 * some 100 ms, so not while a hook waits. Throws if the disk refuses; the draft is then removed.
 */
export function writeDurably(path: string, content: string | Buffer, mode = 0o600): void {
	writeTogether([{ path, content, mode }]);
}

/** `writeDurably` for several files, in order: all are written, or none if the disk accepts only some. */
export function writeTogether(files: readonly WholeFile[]): void {
	const drafts = files.map((file) => ({ ...file, draft: draftOf(file.path) }));
	try {
		for (const { draft, content, mode } of drafts) writeDraft(draft, content, mode);
		for (const { draft, path } of drafts) renameSync(draft, path);
	} finally {
		for (const { draft } of drafts) rmSync(draft, { force: true });
	}
	for (const folder of new Set(files.map(({ path }) => dirname(path)))) syncFolder(folder);
}

/** As `writeDurably`, but only where nothing or a blank file is: false if another process was first. */
export function createDurably(path: string, content: string | Buffer, mode = 0o600): boolean {
	const draft = draftOf(path);
	let isMade = true;
	try {
		writeDraft(draft, content, mode);
		if (isBlank(path)) renameSync(draft, path);
		else linkSync(draft, path);
	} catch (error) {
		if (!hasCode(error, 'EEXIST')) throw error;
		isMade = false;
	} finally {
		rmSync(draft, { force: true });
	}
	syncFolder(dirname(path));
	return isMade;
}

/** Appends to a file (0600) so that the text survives a power cut. Throws if the disk refuses. */
export function appendDurably(path: string, text: string | Buffer): void {
	const file = openSync(path, 'a', 0o600);
	try {
		writeFileSync(file, text);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	syncFolder(dirname(path));
}

/** Whether a file has no content: a power cut may leave an unsynced file so. */
export function isBlank(path: string): boolean {
	const read = readBounded(path);
	return read.ok && /^[\s\0]*$/.test(read.text);
}

/** Makes the names in a folder survive a power cut, as far as this user and the file system can. */
export function syncFolder(path: string): void {
	let folder: number | undefined;
	try {
		folder = openSync(path, 'r');
		fsyncSync(folder);
	} catch (error) {
		// A folder that may be used but not read, or a network file system that syncs no folders.
		if (!hasCode(error, 'EACCES', 'EPERM', 'EINVAL')) throw error;
	} finally {
		if (folder !== undefined) closeSync(folder);
	}
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
	return codes.includes(systemErrorCode(error) ?? '');
}

const draftOf = (path: string) => `${path}.${randomUUID()}`;

function writeDraft(draft: string, content: string | Buffer, mode: number): void {
	const file = openSync(draft, 'wx', 0o600);
	try {
		writeFileSync(file, content);
		fchmodSync(file, mode);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}
