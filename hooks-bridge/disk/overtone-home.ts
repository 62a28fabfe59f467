import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HOME_SESSION, isSafeId } from '#lib/ids/safe-id.ts';
import { tryTo } from './try-to.ts';

/** The longest path of a unix socket; the system silently cuts longer ones. */
export const MAX_SOCKET_PATH = 100;

/** The state root: `OVERTONE_HOME`, else `~/.overtone`. */
export function overtoneHome(env: Readonly<Record<string, string | undefined>>): string {
	return env.OVERTONE_HOME ? resolve(env.OVERTONE_HOME) : join(env.HOME || homedir(), '.overtone');
}

/** The door: the unix socket at which the running server answers hooks. */
export function doorPath(home: string): string {
	return join(home, 'bridge.sock');
}

/** A hook that printed a denial because no answer came creates an empty folder here, named after the ticket. */
export function printedDenialsFolder(home: string): string {
	return join(home, 'denied');
}

/** The folder of one session. The id must have passed `isSafeId`. */
export function sessionFolder(home: string, sessionId: string): string {
	return join(home, 'sessions', sessionId);
}

/** The timeline of one session. The id must have passed `isSafeId`. */
export function timelinePath(home: string, sessionId: string): string {
	return join(sessionFolder(home, sessionId), 'timeline.jsonl');
}

/** Whether the session has a workflow.json, by one query of the file system. */
export function hasWorkflowFile(home: string, sessionId: string): boolean {
	const path = join(sessionFolder(home, sessionId), 'workflow.json');
	return tryTo(() => statSync(path, { throwIfNoEntry: false })?.isFile()) === true;
}

/** The ids of the sessions that have a folder in a home, unordered; none if the home cannot be read. Never throws. */
export function listSessions(home: string): string[] {
	return (
		tryTo(() => readdirSync(join(home, 'sessions')).filter((name) => isSafeId(name) && name !== HOME_SESSION)) ?? []
	);
}
