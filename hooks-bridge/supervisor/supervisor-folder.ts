import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where the supervisor of a session has its state. */
export interface SupervisorFolder {
	/** The client's folder: CCC_CONFIG_DIR, CLAUDE_CONFIG_DIR, else `~/.claude`. */
	configDir: string;
	/** CCC_SUPERVISOR_ID if set, else the session's id; safe as part of a path. */
	id: string;
}

/** The folder of `SUPERVISOR.md`, `ccc.json` and the state files. */
export function supervisorFolder(env: Env): string {
	return resolve(env.CCC_CONFIG_DIR || env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
}

/** The folder for a session; null if the id is unsafe as part of a path. */
export function supervisorFolderOf(env: Env, sessionId: string): SupervisorFolder | null {
	const id = env.CCC_SUPERVISOR_ID || sessionId;
	return isSafeId(id) ? { configDir: supervisorFolder(env), id } : null;
}

/** The state file, as ccc names it. */
export function stateFile({ configDir, id }: SupervisorFolder): string {
	return join(configDir, 'ccc', `supervisor-${id}.json`);
}

/** ccc's own settings, which count if ours say nothing. */
export function cccFile({ configDir }: SupervisorFolder): string {
	return join(configDir, 'ccc.json');
}
