import { excludesCommands, holdSecondsFor } from '../project-settings.ts';

/** How the hooks of other makes are to be registered. */
export interface Registering {
	/** How long a call may wait for a person, in seconds. */
	holdSeconds: number;
	/** Calls that cannot be judged are denied, if the client supports that. */
	isClosed: boolean;
}

/**
 * The same for all projects, since each make has one file for them: no single one says how long a call may wait there, but
 * the commands that this one excludes must not run unjudged.
 */
export function registeringFor(home: string, project: string): Registering {
	return { holdSeconds: holdSecondsFor(home), isClosed: excludesCommands(home, project) };
}
