import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../disk/bounded-read.ts';

/** Where `init` notes the program that can start the server: one line, an absolute path. */
export const SERVER_PROGRAM = 'bin/server.path';

/** Starts a program of node's that outlives this process. */
export type StartDetached = (program: string, args: readonly string[]) => void;

/**
 * Starts the server behind a session that is guided by workflows (seed 001), from a hook that found none running. Where
 * the installation is unknown or OVERTONE_NO_DASHBOARD is set nothing happens. Two at once do no harm: one serves a
 * home, the other one ends. Gives whether it was started.
 */
export function startDashboard(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
	start: StartDetached,
): boolean {
	if (env.OVERTONE_NO_DASHBOARD) return false;
	const noted = readBounded(join(home, SERVER_PROGRAM), home);
	const program = noted.ok ? noted.text.trim() : '';
	if (!program.startsWith('/') || !statSync(program, { throwIfNoEntry: false })?.isFile()) return false;
	start(program, ['start']);
	return true;
}
