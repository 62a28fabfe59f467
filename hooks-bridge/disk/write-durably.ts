import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBounded } from './bounded-read.ts';

/** A file as it is to be afterwards; `mode` is exact. */
export interface WholeFile {
	path: string;
	content: string | Buffer;
	mode: number;
}

/**
 * Puts a whole file in place of `path`, as `writeThenRename` does, and in a way that outlives a power cut at any moment:
 * afterwards there is the old or the new file, never an empty one. Waits for the disk, up to some hundred milliseconds:
 * nothing for the way of a hook. Throws where the disk refuses; the draft is then gone.
 */
export function writeDurably(path: string, content: string | Buffer, mode = 0o600): void {
	writeTogether([{ path, content, mode }]);
}

/** The same of several files, in this order: all are written, or none where the disk takes only some of them. */
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

/**
 * As `writeDurably`, but only where nothing is, or a blank file: false where another process was first. Of two that
 * make one at once, one does.
 */
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

/** Adds to a file (0600) what outlives a power cut from then on. Throws where the disk refuses. */
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

/** Whether a file holds nothing: what a power cut leaves of one that was not synced. */
export function isBlank(path: string): boolean {
	const read = readBounded(path);
	return read.ok && /^[\s\0]*$/.test(read.text);
}

/** From here on the names in a folder outlive a power cut, as far as this user and the file system can bring that about. */
export function syncFolder(path: string): void {
	let folder: number | undefined;
	try {
		folder = openSync(path, 'r');
		fsyncSync(folder);
	} catch (error) {
		// A folder that may be used but not read, and network file systems that sync no folders.
		if (!hasCode(error, 'EACCES', 'EPERM', 'EINVAL')) throw error;
	} finally {
		if (folder !== undefined) closeSync(folder);
	}
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
	return error instanceof Error && 'code' in error && codes.includes(String(error.code));
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
