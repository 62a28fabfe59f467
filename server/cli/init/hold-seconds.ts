import { join } from 'node:path';
import { readSettings } from '#lib/settings/settings.ts';
import { readIfThere } from './file-change.ts';
import { projectFiles } from './plan-init.ts';

/** Seconds that a denial waits for a person unless a setting says otherwise. */
const DEFAULT_HOLD_SECONDS = 120;
const LONGEST_HOLD_SECONDS = 3600;

/** For how long a project's calls may wait for a person, in whole seconds. */
export function holdSecondsFor(home: string, project: string): number {
	const own = readIfThere(join(home, 'config.json'));
	const { holdSeconds } = readSettings(own, readIfThere(projectFiles(project).config));
	return Math.min(Math.ceil(holdSeconds ?? DEFAULT_HOLD_SECONDS), LONGEST_HOLD_SECONDS);
}
