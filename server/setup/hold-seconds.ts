import { DEFAULT_HOLD_SECONDS } from '#lib/settings/policy-settings.ts';
import { projectFiles } from './plan-init.ts';
import { settingsAt } from './settings-at.ts';

const LONGEST_HOLD_SECONDS = 3600;

/** For how long calls may wait for a person, in whole seconds: those of a project, or without one of all. */
export function holdSecondsFor(home: string, project?: string): number {
	const { holdSeconds } = settingsAt(home, project === undefined ? undefined : projectFiles(project).config);
	return Math.min(Math.ceil(holdSeconds ?? DEFAULT_HOLD_SECONDS), LONGEST_HOLD_SECONDS);
}
