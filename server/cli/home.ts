import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { doorPath, overtoneHome } from '#hooks-bridge/overtone-home.ts';
import { type Terminal, UsageError } from './command.ts';

/** The folder of all state, absolute (DESIGN 4). */
export function homeOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	return resolve(cwd, overtoneHome(env));
}

/** The agent client's own folder, absolute. */
export function clientConfigOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	return resolve(cwd, env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
}

/** The folder that `--project` names, or the working directory, absolute. Throws UsageError when there is none. */
export function projectOf(given: string | boolean | undefined, { cwd }: Pick<Terminal, 'cwd'>): string {
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
	try {
		const found: unknown = JSON.parse(readFileSync(join(home, 'server.lock.json'), 'utf8'));
		return typeof found === 'object' && found !== null && 'url' in found ? String(found.url) : undefined;
	} catch {
		return undefined;
	}
}
