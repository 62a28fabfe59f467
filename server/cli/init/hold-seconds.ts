import { join } from 'node:path';
import { readSettings } from '#lib/settings/settings.ts';
import { projectFiles } from './plan-init.ts';
import { readText } from './read-text.ts';

/** Seconds that a denial waits for a person unless a setting says otherwise. */
const DEFAULT_HOLD_SECONDS = 120;
const LONGEST_HOLD_SECONDS = 3600;

/** A file that cannot be used counts for nothing here, as in the hooks. */
function textOf(path: string): string | undefined {
	const read = readText(path);
	return read.ok ? read.text : undefined;
}

/** For how long calls may wait for a person, in whole seconds: those of a project, or without one of all. */
export function holdSecondsFor(home: string, project?: string): number {
	const shared = project === undefined ? undefined : textOf(projectFiles(project).config);
	const { holdSeconds } = readSettings(textOf(join(home, 'config.json')), shared);
	return Math.min(Math.ceil(holdSeconds ?? DEFAULT_HOLD_SECONDS), LONGEST_HOLD_SECONDS);
}
