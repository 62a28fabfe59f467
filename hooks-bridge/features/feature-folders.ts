import { hash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { typeFields } from '#lib/contract/events/event-labels.ts';
import { FEATURE_NAME_RULE, isFeatureName, parseArchiveFolder } from '#lib/features/feature-name.ts';
import { isOwnFolder } from '../disk/bounded-read.ts';
import { tryTo } from '../disk/try-to.ts';
import { makeFolder } from '../disk/write-files.ts';
import type { Ports, SealedEvent } from '../ports/ports.ts';

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

/** Twelve hex digits for a project's folder; symbolic links to it give the same. */
export function projectHash(root: string): string {
	// The folder of a deleted project has no real path.
	const real = tryTo(() => realpathSync.native(root)) ?? root;
	return hash('sha256', real, 'hex').slice(0, 12);
}

/** The id of a feature (its name) or of an archived one (its folder): for URLs, and the name of its archive's folder. */
export function featureId(root: string, nameOrFolder: string): string {
	return `${projectHash(root)}-${nameOrFolder}`;
}

/** The two parts of such an id: the project, and the feature's name or its archive's folder; null for any other text. */
export function readFeatureId(id: string): { project: string; nameOrFolder: string } | null {
	const [, project, nameOrFolder] = /^([0-9a-f]{12})-(.+)$/.exec(id) ?? [];
	return project && nameOrFolder ? { project, nameOrFolder } : null;
}

/**
 * A specs:* event of a session. Its id is derived from its content, so that a repetition after a crash is recognised. `at` in
 * milliseconds.
 */
export function featureEvent(
	type: 'specs:init' | 'specs:pause' | 'specs:resume' | 'specs:archive',
	sessionId: string,
	at: number,
	fields: { featureName: string; featurePath?: string; archivePath?: string; workflowType?: string },
): SealedEvent {
	const ts = new Date(at).toISOString();
	const id = hash('sha256', JSON.stringify([type, sessionId, ts, fields]), 'hex').slice(0, 32);
	return { id, ts, ...typeFields(type), sessionId, ...fields };
}

/** What work on features needs from the machine, beside the project's folder. */
export interface FeaturePorts {
	/** The state root, absolute. */
	home: string;
	/** Milliseconds since the epoch. */
	now(): number;
	/** Appends whole events to a session's timeline, as `Ports.append` does. */
	append: Ports['append'];
}

/** Why something was not done; then nothing was changed. The codes are in the error table. */
export interface FeatureRefusal {
	ok: false;
	code: 'feature/name' | 'feature/not-found' | 'feature/exists' | 'feature/state' | 'feature/outside' | 'feature/busy';
	/** For a person: what is wrong and what to do. */
	detail: string;
}

export function refuse(code: FeatureRefusal['code'], detail: string): FeatureRefusal {
	return { ok: false, code, detail };
}

export function refuseName(): FeatureRefusal {
	return refuse('feature/name', `A feature is named by ${FEATURE_NAME_RULE}.`);
}

export function refuseFolder(state: StateFolder): FeatureRefusal {
	return refuse('feature/outside', `specs/features/${state} is no folder inside the project.`);
}

/** The outcome of a piece of work on a feature. */
export type FeatureOutcome<T> = ({ ok: true } & T) | FeatureRefusal;
