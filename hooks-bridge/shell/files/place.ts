import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEPT_PATHS } from '#lib/commands/closed-paths.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';

/** Where file commands may go. All folders are absolute and without links. */
export interface Place {
	/** What relative paths start from. */
	cwd: string;
	/** The person's folder, for `~`. */
	home: string;
	/** Files lie in one of these: the project, and the folder for temporary files. */
	roots: readonly string[];
	/** Files and folders in the project that are read and never changed. */
	kept: readonly string[];
	/** The state root: closed, as it holds who may decide. */
	state: string;
}

/** The place of a project's shell. Folders that are not there are left out. */
export function placeOf(options: { project: string; cwd: string; state: string; env: ShellEnv }): Place {
	const { project, cwd, state, env } = options;
	const root = realOf(project) ?? project;
	const temporary = env.TMPDIR?.startsWith('/') ? env.TMPDIR : tmpdir();
	return {
		cwd: realOf(cwd) ?? cwd,
		home: env.HOME ?? '/',
		roots: [...new Set([root, realOf(temporary)].filter((path) => path !== undefined))],
		kept: KEPT_PATHS.map((path) => join(root, path)),
		state: realOf(state) ?? state,
	};
}

/** The path behind all links; undefined when there is nothing. */
export function realOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		return undefined;
	}
}
