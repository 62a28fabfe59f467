import { chmodSync, existsSync, lstatSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type WholeFile, writeTogether } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { requireWritable } from '../process/writable-folder.ts';
import { readIfThere } from './read-text.ts';

/** The change to one file; undefined is "no file". */
export interface FileChange {
	path: string;
	before: string | undefined;
	after: string | undefined;
	/** Mode of a new file, if not the usual one. */
	mode?: number;
	/** Contains a secret: only its owner may read it. */
	isSecret?: true;
}

/**
 * Writes a whole file or nothing, even if killed: a client that reads half of its settings runs no hooks. A link keeps its
 * target; without `mode` a file keeps its own.
 */
export function writeWhole(path: string, content: string | Buffer, mode?: number): void {
	makeFolder(dirname(path), 0o777);
	writeTogether([wholeFile(path, content, mode)]);
}

function wholeFile(path: string, content: string | Buffer, mode: number | undefined): WholeFile {
	const existing = statSync(path, { throwIfNoEntry: false });
	return {
		path: existing ? realpathSync(path) : path,
		content,
		mode: mode ?? (existing ? existing.mode & 0o777 : 0o644),
	};
}

/** Whether a file exists that its group or everybody may read or write. */
export function isReadByOthers(path: string): boolean {
	const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
	return (mode & 0o066) !== 0;
}

/** Throws the system's error if one of the changes is impossible, before any of them is made. */
export function requirePossible(changes: readonly FileChange[]): void {
	for (const { path, before, after } of changes) {
		if (before !== after) requireWritable(dirname(existsSync(path) ? realpathSync(path) : path));
	}
}

const ownerBits = (path: string): number => statSync(path).mode & 0o700;

/** Removes empty folders upwards, up to the first whose name begins with a dot. */
function removeEmptied(folder: string): void {
	const isInDotFolder = /(^|\/)\.[^/]*(\/|$)/.test(folder);
	try {
		if (existsSync(folder)) rmdirSync(folder);
	} catch {
		return; // Not empty: it contains files of others.
	}
	if (isInDotFolder && !basename(folder).startsWith('.')) removeEmptied(dirname(folder));
}

/** Applies the changes: all, or none if the disk is full. Skips those that change nothing; removes folders that become empty. */
export function applyChanges(changes: readonly FileChange[]): void {
	for (const { path, isSecret } of changes) if (isSecret && isReadByOthers(path)) chmodSync(path, ownerBits(path));
	const wanted = changes.filter(({ before, after }) => before !== after);
	writeAll(wanted);
	for (const { path, after } of wanted) {
		if (after !== undefined) continue;
		rmSync(path, { force: true });
		removeEmptied(dirname(path));
	}
}

function writeAll(changes: readonly FileChange[]): void {
	const files = changes.flatMap(({ path, before, after, mode, isSecret }) => {
		const fresh = isSecret ? 0o600 : mode;
		return after === undefined ? [] : [wholeFile(path, after, before === undefined ? fresh : undefined)];
	});
	const newFolders = files.map(({ path }) => dirname(path)).filter((folder) => !existsSync(folder));
	try {
		for (const folder of newFolders) makeFolder(folder, 0o777);
		writeTogether(files);
	} catch (error) {
		for (const folder of newFolders) removeEmptied(folder);
		throw error;
	}
}

/** Where a file's original content is stored until `--remove`. */
export function backupOf(path: string): string {
	return `${path}.signalbox-backup`;
}

/** Backs up a file once, if it existed before our first entry. The backup is readable only by those who could read the file. */
export function backupChange(path: string, text: string | undefined, isFirst: boolean): FileChange {
	const before = readIfThere(backupOf(path));
	const change = { path: backupOf(path), before, after: before ?? (isFirst ? text : undefined) };
	const original = statSync(path, { throwIfNoEntry: false });
	return original ? { ...change, mode: original.mode & 0o777 } : change;
}

function isNothing(text: string): boolean {
	return isDeepStrictEqual(JSON.parse(text.trim() === '' ? '{}' : text), {});
}

/** Removes our entries from a file with `unmerge`, and deletes its backup. Deletes a file that we created. */
export function restore(path: string, unmerge: (text: string, before: string | undefined) => string): FileChange[] {
	const text = readIfThere(path);
	const backup = readIfThere(backupOf(path));
	const rest = text === undefined ? undefined : unmerge(text, backup);
	// Without a backup we created the file, so it is deleted if nothing else is in it. A link is never deleted.
	const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	const isOurs = !isLink && rest !== undefined && backup === undefined && rest !== text && isNothing(rest);
	return [
		{ path, before: text, after: isOurs ? undefined : rest },
		{ path: backupOf(path), before: backup, after: undefined },
	];
}
