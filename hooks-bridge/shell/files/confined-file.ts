import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { writeThenRename } from '../../disk/write-then-rename.ts';
import { type ConfinedPath, FileRefusal, isLink } from './resolve-path.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const OWN_FILES = '/proc/self/fd';

/** The bytes of a regular file of at most 32 MiB. Throws FileRefusal. */
export function readConfined(at: ConfinedPath): Buffer {
	return inFolder(at, false, (folder, name) => {
		const fd = openOrRefuse(`${folder}/${name}`, FILE, at.path);
		try {
			const stat = fstatSync(fd);
			if (stat.isDirectory()) throw new FileRefusal(`Cannot read directory: ${at.path}`);
			if (!stat.isFile()) throw new FileRefusal(`${at.path} is not a regular file.`);
			if (stat.size > MAX_BYTES) throw new FileRefusal(`${at.path} is larger than 32 MiB.`);
			return readFileSync(fd);
		} finally {
			closeSync(fd);
		}
	});
}

/**
 * Writes a whole file, making the folders to it. Written beside it and renamed: readers see the old or the new one, and
 * a link put in its place meanwhile is replaced, not followed. Throws FileRefusal.
 */
export function writeConfined(at: ConfinedPath, bytes: Buffer): void {
	inFolder(at, true, (folder, name) => {
		const target = `${folder}/${name}`;
		const before = lstatSync(target, { throwIfNoEntry: false });
		if (before?.isDirectory()) throw new FileRefusal(`Cannot write to directory: ${at.path}`);
		if (before && !before.isFile()) throw new FileRefusal(`${at.path} is not a regular file.`);
		const half = `${folder}/.${name.slice(0, 100)}.${randomUUID()}`;
		try {
			writeThenRename(half, target, bytes, before ? before.mode & 0o777 : 0o666);
		} catch (error) {
			throw new FileRefusal(`${at.path} cannot be written (${codeOf(error)}).`);
		}
	});
}

/**
 * Goes from the root down, a folder at a time and through no link, and does something in the last one. Where the system
 * names open files, each step starts from the open folder: what others rename or link meanwhile changes nothing.
 */
function inFolder<T>(at: ConfinedPath, createsFolders: boolean, act: (folder: string, name: string) => T): T {
	const steps = at.parts.slice(0, -1);
	let fd = openOrRefuse(at.root, FOLDER, at.path);
	let folder = existsSync(OWN_FILES) ? `${OWN_FILES}/${fd}` : at.root;
	try {
		for (const step of steps) {
			const path = `${folder}/${step}`;
			if (createsFolders) makeFolder(path, at.path);
			const next = openOrRefuse(path, FOLDER, at.path);
			closeSync(fd);
			fd = next;
			folder = folder.startsWith(OWN_FILES) ? `${OWN_FILES}/${fd}` : path;
		}
		return act(folder, at.parts.at(-1) ?? '');
	} finally {
		closeSync(fd);
	}
}

function makeFolder(path: string, shownPath: string): void {
	try {
		mkdirSync(path);
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw new FileRefusal(`${shownPath} cannot be written (${codeOf(error)}).`);
	}
}

function openOrRefuse(path: string, flags: number, shownPath: string): number {
	try {
		return openSync(path, flags);
	} catch (error) {
		const code = codeOf(error);
		if (code === 'ELOOP' || isLink(path)) throw new FileRefusal(`${shownPath} was changed while it was opened.`);
		if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileRefusal(`File not found: ${shownPath}`);
		throw new FileRefusal(`${shownPath} cannot be opened (${code}).`);
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
