import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parsedJson } from '#lib/json/json.ts';
import { readBounded } from './bounded-read.ts';

/**
 * Replaces `path` as a whole: readers see the old or the new file, and a link is replaced, not followed. `draft` is a unique name
 * in the same folder; `mode` is less the umask. Throws if the disk refuses; the draft is then removed.
 */
export function writeThenRename(draft: string, path: string, content: string | Buffer, mode: number): void {
	try {
		writeFileSync(draft, content, { flag: 'wx', mode });
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/**
 * Creates a folder and its parents, each with `mode` less the umask. Throws the system's error. Unlike Node's recursive mkdir, it
 * ends below folders that refuse new ones, such as /proc.
 */
export function makeFolder(path: string, mode = 0o700): void {
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
	const missing = [path];
	for (let above = dirname(path); isMissing(above); above = dirname(above)) missing.unshift(above);
	for (const folder of missing) makeOne(folder, mode);
}

function isMissing(path: string): boolean {
	return path !== dirname(path) && !statSync(path, { throwIfNoEntry: false });
}

/** A folder that another process has created meanwhile is fine; anything else at its path is not. */
function makeOne(path: string, mode: number): void {
	try {
		mkdirSync(path, { mode });
	} catch (error) {
		if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
	}
}

/** Codes of a disk that accepts no writes for now; too many open files have the same effect. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ENFILE', 'EMFILE']);

/** Whether something failed because the disk accepts no writes for now: the same write may succeed later. */
export function isDiskFault(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && 'code' in error && CODES.has(error.code);
}

/** The JSON value of a state file; null if it is missing or not JSON: then the state comes from the events. */
export function readState(path: string): unknown {
	const read = readBounded(path);
	return read.ok ? (parsedJson(read.text) ?? null) : null;
}

/** Replaces a state file as a whole: a reader sees the old or the new content. 0600, its folder 0700. */
export function writeState(path: string, value: unknown): void {
	writeStateText(path, stateText(value));
}

export function stateText(value: unknown): string {
	return `${JSON.stringify(value, null, '\t')}\n`;
}

/** Replaces a file as a whole, as `writeState` does. */
export function writeStateText(path: string, text: string): void {
	makeFolder(dirname(path));
	writeThenRename(`${path}.${randomUUID()}`, path, text, 0o600);
}
