import { type Member, memberAt } from './json-members.ts';
import { MARKETPLACE, PLUGIN_ID } from './plugin/plugin-files.ts';

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
