import { forProject } from './for-project.ts';
import { otherSettingsFiles } from './other-registrations.ts';
import { registersSupervisor } from './plan-init.ts';
import { projectFiles } from './project-settings.ts';

/**
 * What to tell where a supervisor that is on would never be asked, since no settings file of the project has its hooks;
 * undefined where they stand. `configDir`: the client's own folder; `cwd`: where the line will be typed, if that is known.
 */
export function missingSupervisorHooks(project: string, configDir: string, cwd?: string): string | undefined {
	const files = [projectFiles(project).settings, ...otherSettingsFiles(project, configDir)];
	if (files.some(registersSupervisor)) return undefined;
	const words = 'Nothing is reviewed: its hooks are missing in this project. Run `signalbox init --supervisor` first.';
	return forProject(words, project, cwd);
}
