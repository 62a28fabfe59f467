import { projectFiles } from './plan-init.ts';
import { settingsAt } from './settings-at.ts';

/** Seconds that a denial waits for a person unless a setting says otherwise. */
const DEFAULT_HOLD_SECONDS = 120;
const LONGEST_HOLD_SECONDS = 3600;

/** For how long calls may wait for a person, in whole seconds: those of a project, or without one of all. */
export function holdSecondsFor(home: string, project?: string): number {
	const { holdSeconds } = settingsAt(home, project === undefined ? undefined : projectFiles(project).config);
	return Math.min(Math.ceil(holdSeconds ?? DEFAULT_HOLD_SECONDS), LONGEST_HOLD_SECONDS);
}
