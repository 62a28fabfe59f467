import { excludesCommands, holdSecondsFor } from '../project-settings.ts';

/** How the hooks of other clients are to be registered. */
export interface Registering {
	/** How long a call may wait for a person, in seconds. */
	holdSeconds: number;
	/** Calls that cannot be judged are denied, if the client supports that. */
	isClosed: boolean;
}

/**
 * The same for all projects, since each of these clients has one file for them. So no project decides how long a call may wait,
 * but the commands that this one excludes must not run unjudged.
 */
export function registeringFor(home: string, project: string): Registering {
	return { holdSeconds: holdSecondsFor(home), isClosed: excludesCommands(home, project) };
}
