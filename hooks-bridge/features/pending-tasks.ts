import { join } from 'node:path';
import { pendingMessage, type TaskProgress, taskProgress } from '#lib/features/pending-tasks.ts';
import { findState, listState, stateFolder } from './feature-folders.ts';
import { readTasks } from './tasks-document.ts';

/** How far a feature is. */
export interface PendingTasks extends TaskProgress {
	feature: string;
	/** For the agent: name, done of total, the first five open boxes; null when there are no boxes or all are ticked. */
	message: string | null;
}

/**
 * The tasks of a feature in progress: of the named one, else of the alphabetically first. Null when there is none (a
 * name that is paused, archived or unknown has no pending tasks). Never throws; without tasks.md `total` is 0.
 */
export function pendingTasks(projectRoot: string, feature?: string): PendingTasks | null {
	const name = feature ?? listState(projectRoot, 'in-progress')[0];
	if (name === undefined || findState(projectRoot, name) !== 'in-progress') return null;
	const { boxes } = readTasks(projectRoot, join(projectRoot, stateFolder('in-progress'), name));
	const progress = taskProgress(boxes);
	return { feature: name, ...progress, message: pendingMessage(name, progress) };
}
