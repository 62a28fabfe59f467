import { join } from 'node:path';
import { parseArchiveFolder } from '#lib/features/feature-name.ts';
import { type HeaderKey, type TaskProgress, taskProgress } from '#lib/features/tasks-file.ts';
import { isOwnFolder, readBounded } from '../disk/bounded-read.ts';
import { tryTo } from '../disk/try-to.ts';
import type { FileRead } from '../ports/ports.ts';
import { findState, listState, namesIn, OPEN_STATES, type OpenState, stateFolder } from './feature-folders.ts';
import { readTasks } from './tasks-document.ts';

export interface FoundFeature {
	feature: string;
	/** The folder's own name: for an archived feature with its date. */
	folder: string;
	state: OpenState | 'archived';
	/** Relative to the project. */
	path: string;
	header: Partial<Record<HeaderKey, string>>;
	tasks: TaskProgress;
}

/** All features of a project, by state and name. Never throws: what cannot be read is left out or has no tasks. */
export function readFeatures(root: string): FoundFeature[] {
	return [...OPEN_STATES, 'archived' as const].flatMap((state) =>
		listState(root, folderOf(state)).map((folder) => readFeatureIn(root, state, folder)),
	);
}

/** One feature by its name, or an archived one by its folder's; undefined if it does not exist. */
export function findFeature(root: string, nameOrFolder: string): FoundFeature | undefined {
	if (parseArchiveFolder(nameOrFolder) === null) {
		const state = findState(root, nameOrFolder);
		return state && readFeatureIn(root, state, nameOrFolder);
	}
	const isThere = tryTo(() => isOwnFolder(root, join(root, stateFolder('archive'), nameOrFolder)));
	return isThere ? readFeatureIn(root, 'archived', nameOrFolder) : undefined;
}

/** A document of a feature by its path inside the folder; read in bounds, never through a link out of the project. */
export function readDocument(root: string, { path }: FoundFeature, name: string): FileRead {
	return readBounded(join(root, path, name), root);
}

/** Documents of one feature on its page. */
export const MAX_SHOWN = 50;

/** Whether a page shows a document, by its path in the feature's folder: texts directly in it. */
export const isShown = (name: string): boolean => /^[\w-][\w. -]{0,100}\.(?:md|feature|txt)$/.test(name);

/** The Markdown documents of a feature, by name: those at the top of its folder, 50 at most. */
export function listMarkdown(root: string, { path }: FoundFeature): string[] {
	return namesIn(root, path, (entry) => entry.isFile() && isShown(entry.name)).slice(0, MAX_SHOWN);
}

/** One feature of a state by its folder's name, as `listState` returns it. */
export function readFeatureIn(root: string, state: FoundFeature['state'], folder: string): FoundFeature {
	const path = join(stateFolder(folderOf(state)), folder);
	const { header, boxes } = readTasks(root, join(root, path));
	const feature = parseArchiveFolder(folder)?.feature ?? folder;
	return { feature, folder, state, path, header, tasks: taskProgress(boxes) };
}

function folderOf(state: FoundFeature['state']): OpenState | 'archive' {
	return state === 'archived' ? 'archive' : state;
}
