import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { closedName, isWithin, wordsThatName } from '#lib/commands/closed-paths.ts';
import { type AllowedFolders, realOf } from '../files/allowed-folders.ts';

/** Something on this machine that the sandbox covers, with the pattern that closes it. */
export interface ClosedFile {
	/** Real and absolute. */
	path: string;
	folder: boolean;
	pattern: string;
}

/** Folders that are not looked through: other people's code, and git's objects. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.next', '.venv']);
const MAX_ENTRIES = 20_000;

/**
 * What a command must not read, as it is on the disk now: the closed places, the state root, and files closed by their
 * name in the project, beside the command's folder, and where the line itself names them. Bounded; never throws.
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
	// Nothing can be mounted inside of a cover.
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
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}
