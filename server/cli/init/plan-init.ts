import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FileChange } from './file-change.ts';
import type { HookGroup } from './hook-entries.ts';
import { mergeSettings, ourPlaces, settingsOf, unmergeSettings } from './merge-settings.ts';
import { addOnMismatch, dropOnMismatch } from './project-config.ts';
import { readIfThere } from './read-text.ts';

/** The files of a project that `init` touches. */
export function projectFiles(project: string) {
	return { settings: join(project, '.claude/settings.json'), config: join(project, '.overtone/config.json') };
}

/** Where a file's first state is kept until `--remove`. */
export function backupOf(path: string): string {
	return `${path}.signalbox-backup`;
}

/** The backup is taken once, of a file that was there before the first entry of ours. */
function backupChange(path: string, text: string | undefined, isFirst: boolean): FileChange {
	const before = readIfThere(backupOf(path));
	return { path: backupOf(path), before, after: before ?? (isFirst ? text : undefined) };
}

/** What `init` does to a project's files, in the order in which to do it. Throws SettingsRefused. */
export function planInit(project: string, wanted: Readonly<Record<string, HookGroup>>): FileChange[] {
	const { settings, config } = projectFiles(project);
	const settingsText = readIfThere(settings);
	const configText = readIfThere(config);
	const merged = mergeSettings(settingsText ?? '', settings, wanted);
	const configured = addOnMismatch(configText, config);
	const isFirst = ourPlaces(settingsOf(settingsText ?? '', settings)).length === 0;
	return [
		backupChange(settings, settingsText, isFirst),
		backupChange(config, configText, isFirst),
		{ path: config, before: configText, after: configured },
		{ path: settings, before: settingsText, after: merged },
	];
}

function isNothing(text: string): boolean {
	return isDeepStrictEqual(JSON.parse(text.trim() === '' ? '{}' : text), {});
}

function restore(path: string, unmerge: (text: string, before: string | undefined) => string): FileChange[] {
	const text = readIfThere(path);
	const backup = readIfThere(backupOf(path));
	const rest = text === undefined ? undefined : unmerge(text, backup);
	// Without a backup the file is of our making, and goes when nothing else is in it. A link never is.
	const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	const isOurs = !isLink && rest !== undefined && backup === undefined && rest !== text && isNothing(rest);
	return [
		{ path, before: text, after: isOurs ? undefined : rest },
		{ path: backupOf(path), before: backup, after: undefined },
	];
}

/** What `init --remove` does: the files as they were, without what came from us. Throws SettingsRefused. */
export function planRemoval(project: string, wanted: Readonly<Record<string, HookGroup>>): FileChange[] {
	const { settings, config } = projectFiles(project);
	const isInstalled = ourPlaces(settingsOf(readIfThere(settings) ?? '', settings)).length > 0;
	return [
		...restore(settings, (text, before) => unmergeSettings(text, settings, before, wanted)),
		...restore(config, (text, before) =>
			isInstalled || before !== undefined ? dropOnMismatch(text, config, before) : text,
		),
	];
}
