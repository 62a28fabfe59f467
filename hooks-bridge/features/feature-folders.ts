import { lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isFeatureName, parseArchiveFolder } from '#lib/features/feature-name.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { isOwnFolder } from '../disk/own-folder.ts';

/** The states of a feature that is not archived; its folder is its state. */
export const OPEN_STATES = ['in-progress', 'paused', 'backlog'] as const;
export type OpenState = (typeof OPEN_STATES)[number];
export type StateFolder = OpenState | 'archive';

/** The folder of all features of a state, relative to the project. */
export function stateFolder(state: StateFolder): string {
	return join('specs', 'features', state);
}

/**
 * The absolute folder of a state, created if missing; null if some part of it is not a folder or leads out of the project through
 * a link. Throws if the file system refuses.
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
	const path = join(root, stateFolder(state));
	try {
		if (!isOwnFolder(root, path)) return [];
		return readdirSync(path, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && isNameIn(state, entry.name))
			.map((entry) => entry.name)
			.sort();
	} catch {
		return [];
	}
}

/** The state of an unarchived feature; undefined if there is none of that name. Never throws. */
export function findState(root: string, feature: string): OpenState | undefined {
	if (!isFeatureName(feature)) return undefined;
	return OPEN_STATES.find((state) => {
		try {
			return isOwnFolder(root, join(root, stateFolder(state), feature));
		} catch {
			return false;
		}
	});
}

function isNameIn(state: StateFolder, name: string): boolean {
	return state === 'archive' ? parseArchiveFolder(name) !== null : isFeatureName(name);
}
