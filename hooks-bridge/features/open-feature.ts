import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFeatureName } from '#lib/features/feature-name.ts';
import { newTasksFile } from '#lib/features/tasks-file.ts';
import { isOccupied, removeOldDrafts } from './archive-claim.ts';
import {
	type FeatureChange,
	type FeatureRefusal,
	featureEvent,
	type HomePorts,
	refuse,
	refuseFolder,
	refuseName,
} from './feature-change.ts';
import { findState, makeStateFolder, type OpenState, stateFolder } from './feature-folders.ts';
import { moveFeature, undoIfFailed } from './move-feature.ts';

const DRAFT = /^\.new-[\w-]{36}$/;

/** How a feature begins. */
export interface FeatureStart {
	/** Default: in progress. */
	state?: Extract<OpenState, 'in-progress' | 'backlog'>;
	/** A workflow's key, written into tasks.md. */
	workflow?: string;
	/** The boxes of tasks.md, such as a workflow's stages. */
	tasks?: readonly string[];
	/** The session to bind: its timeline records what was done to the feature's folder. */
	sessionId?: string;
}

/** Where a feature is now. */
export interface Opened {
	feature: string;
	/** Relative to the project. */
	path: string;
	how: 'created' | 'resumed' | 'attached';
}

/**
 * Creates a feature's folder with its tasks.md, whole or not at all. Refuses the name of an unarchived feature. Throws if the
 * disk refuses.
 */
export function newFeature(root: string, feature: string, ports: HomePorts, start: FeatureStart = {}) {
	if (!isFeatureName(feature)) return refuseName();
	const existing = findState(root, feature);
	if (existing) return exists(feature, existing);
	return create(root, feature, ports, start);
}

/**
 * Puts a feature in progress for a workflow: creates, moves or leaves it. The timeline gets only what was done (`specs:init`,
 * `specs:resume`); the workflow itself names its feature.
 */
export function openFeature(
	root: string,
	feature: string,
	ports: HomePorts,
	start: Omit<FeatureStart, 'state'> = {},
): FeatureChange<Opened> {
	if (!isFeatureName(feature)) return refuseName();
	const state = findState(root, feature);
	if (!state) return create(root, feature, ports, start);
	const path = join(stateFolder('in-progress'), feature);
	if (state === 'in-progress') return { ok: true, feature, path, how: 'attached' };
	const moved = moveFeature(root, feature, 'in-progress');
	if (!moved.ok) return moved;
	const fields = { featureName: feature, featurePath: path };
	undoIfFailed(root, moved, () => recordFolder('specs:resume', fields, ports, start));
	return { ok: true, feature, path, how: 'resumed' };
}

function create(root: string, feature: string, ports: HomePorts, start: FeatureStart): FeatureChange<Opened> {
	const state = start.state ?? 'in-progress';
	const parent = makeStateFolder(root, state);
	if (!parent) return refuseFolder(state);
	removeOldDrafts(parent, DRAFT, ports.now());
	const created = new Date(ports.now()).toISOString();
	const { workflow, tasks = [] } = start;
	const text = newTasksFile({ feature, status: state, created, tasks, ...(workflow && { workflow }) });
	const draft = join(parent, `.new-${randomUUID()}`);
	mkdirSync(draft);
	try {
		writeFileSync(join(draft, 'tasks.md'), text, { flag: 'wx' });
		renameSync(draft, join(parent, feature));
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (isOccupied(error)) return exists(feature, state);
		throw error;
	}
	const path = join(stateFolder(state), feature);
	const fields = { featureName: feature, featurePath: path, ...(workflow && { workflowType: workflow }) };
	try {
		recordFolder('specs:init', fields, ports, start);
	} catch (error) {
		// If it stayed, a second try would be refused because the folder exists.
		renameSync(join(parent, feature), draft);
		rmSync(draft, { recursive: true, force: true });
		throw error;
	}
	return { ok: true, feature, path, how: 'created' };
}

function recordFolder(
	type: 'specs:init' | 'specs:resume',
	fields: Parameters<typeof featureEvent>[3],
	ports: HomePorts,
	{ sessionId }: FeatureStart,
): void {
	if (sessionId === undefined) return;
	ports.append(sessionId, [featureEvent(type, sessionId, ports.now(), fields)]);
}

const exists = (feature: string, state: OpenState): FeatureRefusal =>
	refuse('feature/exists', `There is already a feature ${feature} (${state}).`);
