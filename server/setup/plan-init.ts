import { type LocalEntries, planClosed, removeClosed } from './closed-entry.ts';
import { backupChange, type FileChange, restore } from './file-change.ts';
import { type HookEntries, isSupervisorHandler } from './hook-entries.ts';
import { isPluginIn, pluginMembers, stopCap } from './install-plugin.ts';
import { dropMembers, setMembers } from './json-members.ts';
import { mergeSettings, ourHandlerPositions, settingsOf, unmergeSettings } from './merge-settings.ts';
import { guided, onMismatch, projectFiles } from './project-settings.ts';
import { readIfThere, readText } from './read-text.ts';
import { readSettings } from './settings-shape.ts';

const NONE: LocalEntries = { hooks: {}, rules: [] };

/** Whether a project's settings have the supervisor's entries: a later `init` keeps them. */
export function hasSupervisor(project: string): boolean {
	return registersSupervisor(projectFiles(project).settings);
}

/** Whether this project's sessions of Claude Code have our hooks, by entries or by the plugin. */
export function hasEntries(project: string): boolean {
	const { settings, local } = projectFiles(project);
	const isOurs = [settings, local].some((path) => {
		const read = readText(path);
		const found = read.ok && read.text !== undefined ? readSettings(read.text) : null;
		return found?.ok === true && ourHandlerPositions(found.settings).length > 0;
	});
	return isOurs || hasPlugin(local);
}

/** Whether one settings file has the supervisor's entries; false for a missing or unreadable one. */
export function registersSupervisor(settings: string): boolean {
	const text = readText(settings);
	const read = text.ok && text.text !== undefined ? readSettings(text.text) : null;
	if (!read?.ok) return false;
	const groups = Object.values(read.settings.hooks ?? {}).flat();
	return groups.some(({ hooks }) => hooks.some(isSupervisorHandler));
}

/** The change to a project's config alone, for hooks that are registered elsewhere. Throws SettingsRefused. */
export function planConfig(project: string): FileChange[] {
	const { config } = projectFiles(project);
	const before = readIfThere(config);
	const after = setMembers(before, config, [onMismatch]);
	return [backupChange(config, before, before !== after), { path: config, before, after }];
}

/**
 * The changes of `init` to a project, in order. `refuses`: loop or supervisor refuse stops, so the client's limit is lifted.
 * Throws SettingsRefused.
 */
export function planInit(
	project: string,
	wanted: HookEntries,
	closed: LocalEntries = NONE,
	refuses = false,
): FileChange[] {
	const { settings, local, config } = projectFiles(project);
	const settingsText = readIfThere(settings);
	const configText = readIfThere(config);
	const entries = mergeSettings(settingsText ?? '', settings, wanted);
	const merged = refuses ? setMembers(entries, settings, [stopCap]) : entries;
	const configured = setMembers(configText, config, [onMismatch]);
	const isFirst = ourHandlerPositions(settingsOf(settingsText ?? '', settings)).length === 0;
	return [
		backupChange(settings, settingsText, isFirst),
		backupChange(config, configText, isFirst),
		{ path: config, before: configText, after: configured },
		...planClosed(local, closed),
		{ path: settings, before: settingsText, after: merged },
	];
}

/** The changes of `init --plugin` to a project's files; `folder` holds the plugin. Throws SettingsRefused. */
export function planPlugin(project: string, folder: string, closed: LocalEntries = NONE): FileChange[] {
	const { local, config } = projectFiles(project);
	const localText = readIfThere(local);
	const configText = readIfThere(config);
	settingsOf(localText ?? '', local);
	const merged = setMembers(localText, local, pluginMembers(folder));
	const configured = setMembers(configText, config, [onMismatch, guided]);
	const isFirst = !isPluginIn(localText, local);
	return [
		backupChange(local, localText, isFirst),
		backupChange(config, configText, isFirst),
		{ path: config, before: configText, after: configured },
		...planClosed(local, closed, merged).filter(({ path }) => path === local),
	];
}

/** Removes our entries and the lifted limit; returns the original bytes if nothing else has changed. */
function withoutOurs(text: string, path: string, before: string | undefined, wanted: HookEntries): string {
	if (before !== undefined && setMembers(mergeSettings(before, path, wanted), path, [stopCap]) === text) return before;
	const rest = unmergeSettings(text, path, before, wanted);
	return rest === before || rest.trim() === '' ? rest : dropMembers(rest, path, before, [stopCap]);
}

/** An unreadable local file is refused only if it may contain our plugin. */
function hasPlugin(local: string): boolean {
	const read = readText(local);
	return read.ok && read.text?.includes('signalbox') === true && isPluginIn(read.text, local);
}

/**
 * The changes of `init --remove`. `isElsewhere`: another client's hooks go too, for which only the config may have been written.
 * Throws SettingsRefused.
 */
export function planRemoval(
	project: string,
	wanted: HookEntries,
	folder: string,
	closed: LocalEntries = NONE,
	isElsewhere = false,
): FileChange[] {
	const { settings, local, config } = projectFiles(project);
	const withPlugin = hasPlugin(local);
	const isInstalled =
		isElsewhere || withPlugin || ourHandlerPositions(settingsOf(readIfThere(settings) ?? '', settings)).length > 0;
	const members = withPlugin ? [onMismatch, guided] : [onMismatch];
	return [
		...restore(settings, (text, before) =>
			isInstalled || before !== undefined ? withoutOurs(text, settings, before, wanted) : text,
		),
		...removeClosed(
			local,
			closed,
			withPlugin ? (text, before) => dropMembers(text, local, before, pluginMembers(folder)) : undefined,
		),
		...restore(config, (text, before) =>
			isInstalled || before !== undefined ? dropMembers(text, config, before, members) : text,
		),
	];
}
