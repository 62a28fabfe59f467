import { sentence } from '#lib/messages/sentence.ts';
import { holdSecondsFor } from '../setup/hold-seconds.ts';
import { pluginDrift, pluginFolder } from '../setup/install-plugin.ts';
import { projectFiles } from '../setup/plan-init.ts';
import { isPluginIn } from '../setup/plugin-members.ts';
import { readText } from '../setup/read-text.ts';
import type { Check, SetUp } from './check.ts';

/** Whether the plugin's folder is what this version writes; nothing where the project does not use it. */
export function checkPlugin({ home, project }: SetUp): Check[] {
	const { local } = projectFiles(project);
	if (!usesPlugin(local)) return [];
	const { stale, missing } = pluginDrift(home, holdSecondsFor(home));
	const name = sentence('plugin#check');
	const folder = pluginFolder(home);
	if (stale.length + missing.length === 0) return [{ state: 'ok', name, detail: `current, in ${folder}` }];
	const count = [
		...(missing.length > 0 ? [sentence('{count} missing or other', { count: missing.length })] : []),
		...(stale.length > 0 ? [sentence('{count} too many', { count: stale.length })] : []),
	].join(', ');
	const detail = sentence('{path} is of another version or was edited: {end}', { path: folder, end: count });
	const fix = sentence('run {command}, then start the sessions anew', { command: '`signalbox init --plugin`' });
	return [{ state: 'wrong', name, detail, fix }];
}

/** An unreadable file is reported by the check of the settings files. */
function usesPlugin(local: string): boolean {
	const read = readText(local);
	try {
		return read.ok && read.text !== undefined && isPluginIn(read.text, local);
	} catch {
		return false;
	}
}
