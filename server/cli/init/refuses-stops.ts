import { join } from 'node:path';
import { readSettings } from '#lib/settings/settings.ts';
import { projectFiles } from './plan-init.ts';
import { readText } from './read-text.ts';

/**
 * Whether stops are refused again and again in a project by its settings: the loop guides its sessions, or the
 * supervisor is on. The client would override the ninth refusal in a row. Unreadable settings count as none.
 */
export function refusesStops(home: string, project: string): boolean {
	const [own, shared] = [join(home, 'config.json'), projectFiles(project).config].map((path) => {
		const read = readText(path);
		return read.ok ? read.text : undefined;
	});
	const { workflow, gates } = readSettings(own, shared);
	return (workflow.enabled === true && gates.loop.enabled !== false) || gates.supervisor.enabled === true;
}
