import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { readSupervisorState, type SupervisorState } from '#lib/supervisor/state.ts';
import { withLock } from '../disk/lock.ts';
import { makeFolder, readState, writeState } from '../disk/write-files.ts';

/** How long to wait for the state file's lock, in milliseconds. */
const LOCK_MS = 1000;

/** The state of a supervisor; one without a file is off, unless the settings switch it on for every session. */
export function readSupervisor(
	folder: SupervisorFolder,
	sessionId: string,
	now: number,
	settings?: Settings,
): SupervisorState {
	const value = readState(stateFile(folder));
	const state = readSupervisorState(value, sessionId, new Date(now).toISOString());
	const { enabled } = settings?.gates.supervisor ?? {};
	if (enabled === false) return { ...state, enabled: false };
	return value === null && enabled === true ? { ...state, enabled: true } : state;
}

/**
 * Changes the state file under its lock, as a whole; fields of other programs stay, and null from `change` leaves it. Throws if
 * it cannot be written or locked in time.
 */
export function changeSupervisor(
	folder: SupervisorFolder,
	read: () => SupervisorState,
	change: (state: SupervisorState) => SupervisorState | null,
	waitMs = LOCK_MS,
): SupervisorState {
	const path = stateFile(folder);
	makeFolder(dirname(path));
	const counted = withLock(
		`${path}.lock`,
		() => {
			const before = read();
			const after = change(before);
			if (after !== null) writeState(path, after);
			return after ?? before;
		},
		waitMs,
	);
	if (counted.held) return counted.value;
	throw new Error('another process holds the state file of the supervisor');
}

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
