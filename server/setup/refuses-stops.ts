import { projectFiles } from './plan-init.ts';
import { settingsAt } from './settings-at.ts';

/**
 * Whether stops are refused again and again in a project by its settings: the loop guides its sessions, or the
 * supervisor is on. The client would override the ninth refusal in a row. Unreadable settings count as none.
 */
export function refusesStops(home: string, project: string): boolean {
	const { workflow, gates } = settingsAt(home, projectFiles(project).config);
	return (workflow.enabled === true && gates.loop.enabled !== false) || gates.supervisor.enabled === true;
}
