import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where the supervisor of a session keeps what it knows. */
export interface SupervisorFolder {
	/** The client's folder: CCC_CONFIG_DIR, CLAUDE_CONFIG_DIR, else `~/.claude`. */
	configDir: string;
	/** CCC_SUPERVISOR_ID if set, else the session's id; safe to be part of a path. */
	id: string;
}

/** The folder in which `SUPERVISOR.md`, `ccc.json` and the state files lie. */
export function supervisorFolder(env: Env): string {
	return resolve(env.CCC_CONFIG_DIR || env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
}

/** The place for a session; null where the id may not become part of a path. */
export function supervisorFolderOf(env: Env, sessionId: string): SupervisorFolder | null {
	const id = env.CCC_SUPERVISOR_ID || sessionId;
	return isSafeId(id) ? { configDir: supervisorFolder(env), id } : null;
}

/** The state file, as ccc names it. */
export function stateFile({ configDir, id }: SupervisorFolder): string {
	return join(configDir, 'ccc', `supervisor-${id}.json`);
}

/** ccc's own settings, which are honoured where ours say nothing. */
export function cccFile({ configDir }: SupervisorFolder): string {
	return join(configDir, 'ccc.json');
}
