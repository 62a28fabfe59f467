import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '../disk/bounded-read.ts';
import { LAST_URL, SERVER_PROGRAM, serverUrl } from '../ports/server-url.ts';

/** Starts a node program that outlives this process. */
export type StartDetached = (program: string, args: readonly string[]) => void;

/**
 * Starts the server for a session that is guided by workflows (seed 001), from a hook that found none running. Does nothing if
 * the installation is unknown or OVERTONE_NO_DASHBOARD is set. Two at once are harmless: one serves the home, the other one ends.
 * Uses the last port of the home's server, since bookmarks and sign-ins are valid only there. Returns whether it was started.
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
	const last = readBounded(join(home, LAST_URL), home);
	const url = serverUrl(last.ok ? last.text : null);
	const isChosen = url === null || Boolean(env.SIGNALBOX_PORT);
	start(program, isChosen ? ['start'] : ['start', '--port', new URL(url).port]);
	return true;
}
