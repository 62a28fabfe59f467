import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from './file-change.ts';
import { PLUGIN, pluginFiles } from './plugin/plugin-files.ts';

/** The folder that projects name as the plugin's: one for all projects of the machine. */
export function pluginFolder(home: string): string {
	return join(home, 'plugin');
}

/** The file with the plugin's hooks, in the form of a settings file. */
export function pluginHooks(home: string): string {
	return join(pluginFolder(home), PLUGIN, 'hooks/hooks.json');
}

function filesIn(folder: string): string[] {
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
	const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return entries.filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile());
}

/**
 * Surplus files of the installed plugin, and files that it lacks or has in another version, by path; both empty when it is
 * current.
 */
export function pluginDrift(home: string, holdSeconds: number) {
	const folder = pluginFolder(home);
	const wanted = pluginFiles(holdSeconds);
	const present = filesIn(folder);
	const stale = present.filter((path) => !Object.hasOwn(wanted, path));
	const missing = Object.entries(wanted).filter(
		([path, text]) => !present.includes(path) || readFileSync(join(folder, path), 'utf8') !== text,
	);
	return { stale, missing };
}

/**
 * Writes the plugin if it differs, and removes files of an older version. Returns whether anything changed. `holdSeconds` is the
 * home's setting, since the folder serves all projects.
 */
export function installPlugin(home: string, holdSeconds: number): boolean {
	const folder = pluginFolder(home);
	const { stale, missing } = pluginDrift(home, holdSeconds);
	applyChanges([
		...stale.map((path) => ({ path: join(folder, path), before: '', after: undefined })),
		...missing.map(([path, text]) => ({ path: join(folder, path), before: undefined, after: text })),
	]);
	return stale.length + missing.length > 0;
}
