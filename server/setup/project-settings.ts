import { join } from 'node:path';
import { excludedCommands } from '#lib/gates/command-policy/command-policy-gate.ts';
import { DEFAULT_HOLD_SECONDS } from '#lib/settings/policy-settings.ts';
import { readSettings, type Settings } from '#lib/settings/settings.ts';
import { shellWord } from '../process/program-name.ts';
import { type Member, memberAt } from './json-members.ts';
import { readText } from './read-text.ts';

const MAX_HOLD_SECONDS = 3600;

/** The files of a project that `init` touches; `local` is the machine's own. */
export function projectFiles(project: string) {
	return {
		settings: join(project, '.claude/settings.json'),
		local: join(project, '.claude/settings.local.json'),
		config: join(project, '.overtone/config.json'),
	};
}

/** The settings of a home, tightened by those of `project`, if given. Unusable files are ignored, as in the hooks. */
export function settingsAt(home: string, project?: string): Settings {
	const shared = project === undefined ? undefined : fileText(projectFiles(project).config);
	return readSettings(fileText(join(home, 'config.json')), shared);
}

function fileText(path: string): string | undefined {
	const read = readText(path);
	return read.ok ? read.text : undefined;
}

/** How long calls may wait for a person, in whole seconds: in a project, or without one in all. */
export function holdSecondsFor(home: string, project?: string): number {
	return Math.min(Math.ceil(settingsAt(home, project).holdSeconds ?? DEFAULT_HOLD_SECONDS), MAX_HOLD_SECONDS);
}

/** Whether commands are excluded, or a list that cannot be read may exclude any: then one that is not judged must not run. */
export function excludesCommands(home: string, project?: string): boolean {
	const { commands, gates, problems } = settingsAt(home, project);
	const mayExclude =
		commands.exclude.length > 0 || problems.some((problem) => problem.startsWith(excludedCommands.path));
	return mayExclude && gates.commandPolicy.enabled !== false;
}

/** Whether loop or supervisor may refuse stops in a project: the client would override the ninth in a row. */
export function refusesStops(home: string, project: string): boolean {
	const { workflow, gates } = settingsAt(home, project);
	return (workflow.enabled === true && gates.loop.enabled !== false) || gates.supervisor.enabled === true;
}

/** With "deny" the agent reads a denial's reason, and a person can approve the call. */
export const onMismatch: Member = { path: ['gates', 'routing', 'onMismatch'], value: 'deny', keep: true };

/** Sessions without a workflow are pointed to /ot:auto, which only the plugin has. */
export const guided: Member = { path: ['workflow', 'enabled'], value: true, keep: true };

/** The value of `gates.routing.onMismatch` in a config text, or undefined. */
export function onMismatchIn(text: string, file: string): unknown {
	return memberAt(text, file, onMismatch.path);
}

const OF_A_PROJECT = /`signalbox (?:init|doctor|supervisor)\b[^`]*/g;

/** Adds the project to command lines in a message, unless the reader is in it. Without `cwd` (a page) always. */
export function forProject(message: string, project: string, cwd?: string): string {
	if (project === cwd) return message;
	return message.replace(OF_A_PROJECT, (line) =>
		line.includes(' --project ') ? line : `${line} --project ${shellWord(project)}`,
	);
}
