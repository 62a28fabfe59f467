import { shellWord } from '../process/program-name.ts';

const OF_A_PROJECT = /`signalbox (?:init|doctor|supervisor)\b[^`]*/g;

/**
 * Adds the project to the command lines in a message, if the reader's working directory is another folder. Without `cwd` (a page)
 * that folder is unknown, so the project is always added.
 */
export function forProject(message: string, project: string, cwd?: string): string {
	if (project === cwd) return message;
	return message.replace(OF_A_PROJECT, (line) =>
		line.includes(' --project ') ? line : `${line} --project ${shellWord(project)}`,
	);
}
