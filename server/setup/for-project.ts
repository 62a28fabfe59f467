import { shellWord } from '../process/program-name.ts';

const OF_A_PROJECT = /`signalbox (?:init|doctor|supervisor)\b[^`]*/g;

/**
 * A message whose lines to copy name the project that they are for, where that is not the folder that they are typed in.
 * Without `cwd` (a page) nobody knows where that will be.
 */
export function forProject(message: string, project: string, cwd?: string): string {
	if (project === cwd) return message;
	return message.replace(OF_A_PROJECT, (line) =>
		line.includes(' --project ') ? line : `${line} --project ${shellWord(project)}`,
	);
}
