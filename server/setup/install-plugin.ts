import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from './file-change.ts';
import { type Member, memberAt } from './json-members.ts';
import { MARKETPLACE, PLUGIN, PLUGIN_ID, pluginFiles } from './plugin/plugin-files.ts';

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

/** Surplus files of the plugin, and those that are missing or different, by path. */
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
 * Writes the plugin if it differs and removes old files; returns whether anything changed. `holdSeconds` is the home's, since the
 * folder serves all projects.
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

const KNOWN = ['extraKnownMarketplaces', MARKETPLACE];
const ENABLED = ['enabledPlugins', PLUGIN_ID];

/** Lifts the client's limit of eight refused stops in a row, so that our own limits apply; an existing value is kept. */
export const stopCap: Member = { path: ['env', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'], value: '0', keep: true };

/** What the client needs to load the plugin from a folder, without a network and without a copy; and its lifted limit. */
export function pluginMembers(folder: string): Member[] {
	return [
		{ path: KNOWN, value: { source: { source: 'directory', path: folder } } },
		{ path: ENABLED, value: true },
		stopCap,
	];
}

/** Whether `init --plugin` was run here. Throws SettingsRefused for a text that is not JSON. */
export function isPluginIn(text: string | undefined, file: string): boolean {
	return [KNOWN, ENABLED].some((path) => memberAt(text ?? '', file, path) !== undefined);
}
