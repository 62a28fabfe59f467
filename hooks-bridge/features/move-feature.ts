import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { isFeatureName } from '#lib/features/feature-name.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { tryMove } from './archive-claim.ts';
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
import { setTasksHeader } from './tasks-document.ts';

export interface Moved {
	feature: string;
	from: OpenState;
	/** Relative to the project. */
	path: string;
}

/** Moves a feature in progress to `paused`. */
export function pauseFeature(root: string, feature: string): FeatureChange<Moved> {
	const state = stateOf(root, feature);
	if (typeof state !== 'string') return state;
	if (state === 'in-progress') return moveFeature(root, feature, 'paused');
	return refuse('feature/state', `${feature} is not in progress (${state}).`);
}

/** Moves a paused feature, or one from the backlog, to `in-progress`. */
export function resumeFeature(root: string, feature: string): FeatureChange<Moved> {
	const state = stateOf(root, feature);
	if (typeof state !== 'string') return state;
	if (state !== 'in-progress') return moveFeature(root, feature, 'in-progress');
	return refuse('feature/state', `${feature} is in progress already.`);
}

/**
 * Moves a feature by one rename, never onto another, then updates its `status` line. The folder decides: after a crash in between
 * the next move corrects the line. Throws if the disk refuses.
 */
export function moveFeature(root: string, feature: string, to: OpenState): FeatureChange<Moved> {
	const from = stateOf(root, feature);
	if (typeof from !== 'string') return from;
	const parent = makeStateFolder(root, to);
	if (!parent) return refuseFolder(to);
	const target = join(parent, feature);
	const outcome = tryMove(join(root, stateFolder(from), feature), target);
	if (outcome === 'taken') return refuse('feature/exists', `There is another ${feature} in ${to}.`);
	if (outcome === 'gone') return notFound(feature);
	const moved: Moved = { feature, from, path: join(stateFolder(to), feature) };
	undoIfFailed(root, moved, () => setTasksHeader(root, target, { status: to }));
	return { ok: true, ...moved };
}

/** Runs the work that belongs to a move; if it throws, the folder is moved back, so that the caller can retry. */
export function undoIfFailed(root: string, { feature, from, path }: Moved, work: () => void): void {
	try {
		work();
	} catch (error) {
		const origin = join(root, stateFolder(from), feature);
		renameSync(join(root, path), origin);
		try {
			setTasksHeader(root, origin, { status: from });
		} catch {
			// A full disk accepts no header; the folder decides.
		}
		throw error;
	}
}

function stateOf(root: string, feature: string): OpenState | FeatureRefusal {
	return isFeatureName(feature) ? (findState(root, feature) ?? notFound(feature)) : refuseName();
}

const notFound = (feature: string): FeatureRefusal =>
	refuse('feature/not-found', `There is no feature ${feature} in progress, paused or in the backlog.`);

/**
 * Records for each of its sessions that a feature was paused or resumed; in `_home` if it has none. Refusals are not recorded. If
 * nothing can be written, throws and moves the feature back.
 */
export function recordMoved(
	type: 'specs:pause' | 'specs:resume',
	root: string,
	outcome: FeatureChange<Moved>,
	sessions: readonly string[],
	ports: HomePorts,
): FeatureChange<Moved> {
	if (!outcome.ok) return outcome;
	const fields = { featureName: outcome.feature, featurePath: outcome.path };
	const recordMove = (sessionId: string) =>
		ports.append(sessionId, [featureEvent(type, sessionId, ports.now(), fields)]);
	const [first = HOME_SESSION, ...others] = sessions;
	undoIfFailed(root, outcome, () => recordMove(first));
	for (const sessionId of others) recordMove(sessionId);
	return outcome;
}
