import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { type Sentence, sentence } from '#lib/messages/sentence.ts';
import { ourHandlerPositions } from './merge-settings.ts';
import { registersSupervisor } from './plan-init.ts';
import { forProject, projectFiles } from './project-settings.ts';
import { readSettingsFile } from './read-text.ts';

const PLUGIN = /^(?:ot@)?signalbox(?:@|$)/;

/** The settings files that the client adds to the project's own: it runs the hooks of all of them. */
export function otherSettingsFiles(project: string, configDir: string): string[] {
	return [join(configDir, 'settings.json'), join(project, '.claude/settings.local.json')];
}

function isSameFile(left: string, right: string): boolean {
	return tryTo(() => realpathSync(left) === realpathSync(right)) ?? resolve(left) === resolve(right);
}

/**
 * Where the same hooks are registered twice, for a person: entries in the project's settings, or the plugin in its local ones.
 * `configDir` is the client's folder.
 */
export function findOtherRegistrations(
	project: string,
	configDir: string,
	kind: 'entries' | 'plugin' = 'entries',
): Sentence[] {
	const { settings, local } = projectFiles(project);
	const own = kind === 'plugin' ? local : settings;
	const others = [settings, ...otherSettingsFiles(project, configDir)].filter((path) => !isSameFile(path, own));
	return [own, ...others].flatMap((path) => {
		const read = readSettingsFile(path);
		if (!read.ok) return [];
		const plugins = Object.entries(read.settings.enabledPlugins ?? {});
		const isPlugin = plugins.some(([name, enabled]) => PLUGIN.test(name) && enabled === true);
		// Fail-closed and supervisor entries may be beside the project's; plain ones may not.
		const isPlain = ourHandlerPositions(read.settings).some(({ event, group, handler }) => {
			const command = read.settings.hooks?.[event]?.[group]?.hooks[handler]?.command;
			return typeof command === 'string' && /\b(?:observe|open)\b[^;]*$/.test(command);
		});
		return [
			...(isPlugin && (kind === 'entries' || path !== own)
				? [sentence('the Signalbox plugin is enabled in {path}', { path })]
				: []),
			...(isPlain && (kind === 'plugin' || path !== own)
				? [sentence('the same hooks are registered in {path}', { path })]
				: []),
		];
	});
}

/**
 * What to say if a supervisor is on but its hooks are missing. `configDir`: the client's folder; `cwd`: where the reader would
 * run the command.
 */
export function missingSupervisorHooks(project: string, configDir: string, cwd?: string): string | undefined {
	const files = [projectFiles(project).settings, ...otherSettingsFiles(project, configDir)];
	if (files.some(registersSupervisor)) return undefined;
	const words = 'Nothing is reviewed: its hooks are missing in this project. Run `signalbox init --supervisor` first.';
	return forProject(words, project, cwd);
}
