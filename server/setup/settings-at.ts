import { join } from 'node:path';
import { readSettings, type Settings } from '#lib/settings/settings.ts';
import { readText } from './read-text.ts';

/** The settings of a home, tightened by a project's file where one is named. Files that cannot be used count as none, as in the hooks. */
export function settingsAt(home: string, projectConfig?: string): Settings {
	const shared = projectConfig === undefined ? undefined : fileText(projectConfig);
	return readSettings(fileText(join(home, 'config.json')), shared);
}

function fileText(path: string): string | undefined {
	const read = readText(path);
	return read.ok ? read.text : undefined;
}
