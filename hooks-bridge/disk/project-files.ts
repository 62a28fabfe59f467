import { hash, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOwnFolder, readBounded } from './bounded-read.ts';
import { withLock } from './lock.ts';
import { tryTo } from './try-to.ts';
import { makeFolder, writeThenRename } from './write-files.ts';

const MAX_LISTED = 1000;

/** Regular files of a project's folder with their times, newest first; empty if the folder leads out of the project. */
export function listProjectFiles(root: string, relative: string): { name: string; mtimeMs: number }[] {
	const folder = join(root, relative);
	const read = () =>
		readdirSync(folder, { withFileTypes: true })
			.filter((entry) => entry.isFile())
			.slice(0, MAX_LISTED)
			.map(({ name }) => ({ name, mtimeMs: lstatSync(join(folder, name)).mtimeMs }))
			.sort((a, b) => b.mtimeMs - a.mtimeMs);
	return tryTo(() => (isOwnFolder(root, folder) ? read() : [])) ?? [];
}

/** Which file is edited; its lock is in the state root, since we leave no files of ours in a project. */
export interface ProjectEdit {
	home: string;
	root: string;
	relative: string;
	lockWaitMs: number;
}

/** As `Ports.editProjectFile`. Never throws: if the disk refuses, the file is unchanged. */
export function editProjectFile(
	{ home, root, relative, lockWaitMs }: ProjectEdit,
	change: (text: string | null) => string | null,
): boolean {
	const path = join(root, relative);
	const locks = join(home, 'locks');
	const lock = join(locks, hash('sha256', path, 'hex').slice(0, 32));
	const done = tryTo(() => {
		makeFolder(locks);
		return withLock(lock, () => replace(path, root, change), lockWaitMs);
	});
	return done?.held === true && done.value;
}

function replace(path: string, root: string, change: (text: string | null) => string | null): boolean {
	const folder = dirname(path);
	if (!isOwnFolder(root, folder)) return false;
	const read = readBounded(path, root);
	if (!read.ok && read.why !== 'absent') return false;
	const after = change(read.ok ? read.text : null);
	if (after === null) return false;
	const mode = read.ok ? lstatSync(path).mode & 0o777 : 0o644;
	writeThenRename(`${path}.${randomUUID()}`, path, after, mode);
	return true;
}
