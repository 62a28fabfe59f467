import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isFeatureName, parseArchiveFolder } from '#lib/features/feature-name.ts';
import { isOwnFolder } from '../disk/bounded-read.ts';
import { tryTo } from '../disk/try-to.ts';
import { makeFolder } from '../disk/write-files.ts';

/** The states of a feature that is not archived; its folder is its state. */
export const OPEN_STATES = ['in-progress', 'paused', 'backlog'] as const;
export type OpenState = (typeof OPEN_STATES)[number];
export type StateFolder = OpenState | 'archive';

/** The folder of all features of a state, relative to the project. */
export function stateFolder(state: StateFolder): string {
	return join('specs', 'features', state);
}

/**
 * The absolute folder of a state, created if missing; null if it leads out of the project or is no folder. Throws if the disk
 * refuses.
 */
export function makeStateFolder(root: string, state: StateFolder): string | null {
	let path = root;
	for (const part of stateFolder(state).split(sep)) {
		path = join(path, part);
		if (!lstatSync(path, { throwIfNoEntry: false })) makeFolder(path, 0o777);
		if (!isOwnFolder(root, path)) return null;
	}
	return path;
}

/** The names of the features in a state, ascending; for the archive the folders' names. Links and other names are left out. */
export function listState(root: string, state: StateFolder): string[] {
	return namesIn(root, stateFolder(state), (entry) => entry.isDirectory() && isNameIn(state, entry.name));
}

/** The names of some entries of a folder (relative to the project), ascending; none if it leads out of the project. Never throws. */
export function namesIn(root: string, path: string, isWanted: (entry: Dirent) => boolean): string[] {
	const folder = join(root, path);
	const entries = tryTo(() => isOwnFolder(root, folder) && readdirSync(folder, { withFileTypes: true })) || [];
	return entries
		.filter(isWanted)
		.map(({ name }) => name)
		.sort();
}

/** The state of an unarchived feature; undefined if there is none of that name. Never throws. */
export function findState(root: string, feature: string): OpenState | undefined {
	if (!isFeatureName(feature)) return undefined;
	return OPEN_STATES.find((state) => tryTo(() => isOwnFolder(root, join(root, stateFolder(state), feature))));
}

function isNameIn(state: StateFolder, name: string): boolean {
	return state === 'archive' ? parseArchiveFolder(name) !== null : isFeatureName(name);
}
