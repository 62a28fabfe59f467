import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { doorPath, overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { type OptionValues, type Terminal, UsageError } from './command.ts';
import { reasonOf, whyNoFolder } from './failure-words.ts';
import { readHolder } from './server-holder.ts';

/** The folder of all state, absolute; it may not exist yet. Throws, with what to do, if the path cannot be used. */
export function homeOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	const given = env.OVERTONE_HOME;
	// Hooks run in other folders, where a relative path would name another home.
	if (given && !isAbsolute(given))
		throw unusable(given, 'it is not an absolute path, so each folder would have its own home');
	const home = resolve(cwd, overtoneHome(env));
	const why = whyNoFolder(home) ?? whyNotOurs(home);
	if (why !== null) throw unusable(home, why);
	return home;
}

/** The owner of the folder, or of a link to it, could replace it. */
function whyNotOurs(home: string): string | null {
	const own = process.geteuid?.();
	const owners = [lstatSync, statSync].map((look) => look(home, { throwIfNoEntry: false })?.uid);
	const isOurs = own === undefined || owners.every((uid) => uid === undefined || uid === own);
	return isOurs ? null : 'it belongs to another user, who could replace its files';
}

/** The home for a command that writes there: created if it is missing. */
export function writableHomeOf(terminal: Pick<Terminal, 'env' | 'cwd'>): string {
	const home = homeOf(terminal);
	try {
		makeFolder(home);
		accessSync(home, constants.W_OK | constants.X_OK);
		return home;
	} catch (error) {
		throw unusable(home, reasonOf(error));
	}
}

function unusable(home: string, why: string): Error {
	return new Error(`The home ${home} cannot be used: ${why}. Set OVERTONE_HOME to a folder of yours.`);
}

/** The agent client's own folder, absolute. */
export function clientConfigOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	return resolve(cwd, env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
}

/** The folder that `--project` names, or the working directory, absolute. Throws UsageError if it does not exist. */
export function projectOf(given: OptionValues[string], { cwd }: Pick<Terminal, 'cwd'>): string {
	const project = resolve(cwd, typeof given === 'string' ? given : '.');
	if (statSync(project, { throwIfNoEntry: false })?.isDirectory()) return project;
	throw new UsageError(`There is no folder ${project}.`);
}

/** Whether somebody answers at the home's door: only its own running server does. */
export function isDoorOpen(home: string): Promise<boolean> {
	return new Promise((done) => {
		const socket = connect(doorPath(home));
		socket.setTimeout(3000, () => socket.destroy());
		socket.once('connect', () => {
			socket.destroy();
			done(true);
		});
		socket.once('error', () => done(false));
		socket.once('close', () => done(false));
	});
}

/** The address of the home's server if it runs, else undefined. */
export async function findServer(home: string): Promise<string | undefined> {
	if (!(await isDoorOpen(home))) return undefined;
	return readHolder(home)?.url;
}
