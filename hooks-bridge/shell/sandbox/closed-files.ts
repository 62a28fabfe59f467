import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { closedName, isWithin, wordsThatName } from '#lib/commands/closed-paths.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { tryTo } from '../../disk/try-to.ts';
import { type AllowedFolders, realOf } from '../files/allowed-folders.ts';

/** A file or folder on this machine that the sandbox covers, with the pattern that closes it. */
export interface ClosedFile {
	/** Real and absolute. */
	path: string;
	folder: boolean;
	pattern: string;
}

/** Folders that are not searched: other people's code, and git's objects. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.next', '.venv']);
const MAX_ENTRIES = 20_000;

/**
 * The files that a command must not read: closed paths, the state root, and files closed by name in the project, beside the
 * command's folder or in its line. Bounded; never throws.
 */
export function closedFiles(folders: AllowedFolders, cwd: string, line: string): ClosedFile[] {
	const named = wordsThatName(line).map((word) =>
		resolve(cwd, word.startsWith('~/') ? join(folders.home, word.slice(2)) : word),
	);
	const project = folders.roots[0];
	const found = [...named, ...(project === undefined ? [] : search(project)), ...search(cwd)];
	const wanted = [
		...folders.closed,
		...found.map((path) => ({ path, pattern: closedName(path.slice(path.lastIndexOf('/') + 1)) ?? path })),
	];
	const closed = new Map<string, ClosedFile>();
	for (const { path, pattern } of wanted) {
		const real = realOf(path);
		const stat = real === undefined ? undefined : lstatSync(real, { throwIfNoEntry: false });
		if (real !== undefined && stat) closed.set(real, { path: real, folder: stat.isDirectory(), pattern });
	}
	const all = [...closed.values()];
	// Nothing can be mounted inside a covered folder.
	return all.filter((one) => !all.some((other) => other !== one && other.folder && isWithin(one.path, other.path)));
}

function search(root: string): string[] {
	const found: string[] = [];
	const folders = [root];
	let seen = 0;
	for (let folder = folders.shift(); folder !== undefined && seen < MAX_ENTRIES; folder = folders.shift()) {
		for (const entry of entriesOf(folder)) {
			seen += 1;
			if (closedName(entry.name)) found.push(join(folder, entry.name));
			else if (entry.isDirectory() && !NOT_SEARCHED.has(entry.name)) folders.push(join(folder, entry.name));
		}
	}
	return found;
}

function entriesOf(folder: string) {
	return tryTo(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** Standard program folders, independent of PATH. */
const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
const MAX_FOLDERS = 100;
/** Programs whose one file is many others: covering it would remove all of them. */
const MANY_IN_ONE = /^(?:busybox|toybox|coreutils|uutils)/;

/**
 * The files of excluded programs, which the sandbox covers: nothing inside can start them, from any language or path. Never
 * throws.
 */
export function excludedPrograms(exclude: readonly string[], { PATH = '' }: ShellEnv): ClosedFile[] {
	const given = PATH.split(':').filter((folder) => folder.startsWith('/'));
	const folders = [...new Set([...given.slice(0, MAX_FOLDERS), ...FOLDERS])];
	const found = new Map<string, ClosedFile>();
	for (const pattern of exclude) {
		const name = basename(pattern);
		if (name === '' || name.endsWith(':')) continue;
		for (const folder of folders) {
			const path = realOf(join(folder, name));
			if (path === undefined || MANY_IN_ONE.test(basename(path)) || !isProgram(path)) continue;
			found.set(path, { path, folder: false, pattern });
		}
	}
	return [...found.values()];
}

function isProgram(path: string): boolean {
	return tryTo(() => statSync(path).isFile()) ?? false;
}
