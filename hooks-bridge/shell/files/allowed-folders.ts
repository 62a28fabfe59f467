import { lstatSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type ClosedPath, closedPathsOf, isWithin, KEPT_PATHS } from '#lib/commands/closed-paths.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { tryTo } from '../../disk/try-to.ts';

/** Where systems keep folders for temporary files. */
const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm', '/var/folders'] as const;

/** Where file commands may work. All folders are absolute and without links. */
export interface AllowedFolders {
	/** What relative paths start from. */
	cwd: string;
	/** The person's folder, for `~`. */
	home: string;
	/** Files must be in one of these: the project, and the folder for temporary files. */
	roots: readonly string[];
	/** Files and folders in the project that may be read and never changed. */
	kept: readonly string[];
	/** Always closed, wherever the project is; the state root too, since it records who may decide. */
	closed: readonly ClosedPath[];
	/** The state root. */
	state: string;
}

/**
 * The folders of a project's shell. The agent chooses the environment, so it must not open anything with it: both the real home
 * and `HOME` are closed, and `TMPDIR` counts only among temporary folders.
 */
export function allowedFolders(options: {
	project: string;
	cwd: string;
	state: string;
	env: ShellEnv;
}): AllowedFolders {
	const { project, cwd, state, env } = options;
	const root = realOf(project) ?? project;
	// Undefined for a user who is not in the system's list.
	const person = tryTo(() => userInfo().homedir) ?? '/';
	const home = env.HOME?.startsWith('/') ? env.HOME : person;
	const states = [state, join(person, '.overtone')].map((path) => ({ path, pattern: 'the state of Signalbox' }));
	return {
		cwd: realOf(cwd) ?? cwd,
		home,
		roots: [...new Set([root, temporaryFolder(env)].filter((path) => path !== undefined))],
		// In a git worktree `.git` is a file, which says whose settings and hooks git uses.
		kept: [...KEPT_PATHS, ...(isFile(join(root, '.git')) ? ['.git'] : [])].map((path) => join(root, path)),
		closed: [...closedPathsOf(person), ...closedPathsOf(home), ...states],
		state: realOf(state) ?? state,
	};
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

function temporaryFolder({ TMPDIR = '' }: ShellEnv): string | undefined {
	const given = TMPDIR.startsWith('/') ? realOf(TMPDIR) : undefined;
	const isOne = given !== undefined && TEMPORARY.some((folder) => isWithin(given, realOf(folder) ?? folder));
	return isOne ? given : realOf(TEMPORARY[0]);
}

/** The path behind all links; undefined if there is nothing. */
export function realOf(path: string): string | undefined {
	return tryTo(() => realpathSync.native(path));
}
