import { forProject } from './for-project.ts';
import { otherSettingsFiles } from './other-registrations.ts';
import { registersSupervisor } from './plan-init.ts';
import { projectFiles } from './project-settings.ts';

/**
 * What to report if a supervisor is on, but no settings file of the project has its hooks; undefined if one has. `configDir`: the
 * client's own folder; `cwd`: where the reader will run the command, if known.
 */
export function missingSupervisorHooks(project: string, configDir: string, cwd?: string): string | undefined {
	const files = [projectFiles(project).settings, ...otherSettingsFiles(project, configDir)];
	if (files.some(registersSupervisor)) return undefined;
	const words = 'Nothing is reviewed: its hooks are missing in this project. Run `signalbox init --supervisor` first.';
	return forProject(words, project, cwd);
}
