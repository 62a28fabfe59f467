import { dirname } from 'node:path';
import type { Settings } from '#lib/settings/settings.ts';
import { readSupervisorState, type SupervisorState } from '#lib/supervisor/state.ts';
import { withLock } from '../disk/lock.ts';
import { readState, writeState } from '../disk/state-file.ts';
import { makeFolder } from '../disk/write-files.ts';
import { type SupervisorFolder, stateFile } from './supervisor-folder.ts';

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
 * Changes the state file under its lock, as a whole or not at all; fields of other programs are kept. `null` from `change` leaves
 * it. Throws if the file cannot be written or its lock is not free in time.
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
