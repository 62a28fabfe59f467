import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import type { Plain } from '#lib/messages/say.ts';
import { findPackageRoot } from './package-root.ts';

/** The real path, or null if nothing is there. */
function realPathOf(path: string): string | null {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}

/** Folders that npx and npm scripts put before a person's own PATH. */
const isNpmsOwn = (folder: string) => folder.endsWith('/node_modules/.bin') || folder.endsWith('/node-gyp-bin');

/**
 * What a person types to run this program: `signalbox` where the first of that name on `searchPath` (PATH) is this one,
 * `npx signalbox` where npx keeps it, else node with its place, as seen from the folder `cwd`; without one, from anywhere.
 */
export function programName(
	searchPath: string,
	cwd?: string,
	program = join(findPackageRoot(), 'dist/signalbox.js'),
): string {
	const onPath = searchPath
		.split(delimiter)
		.filter((folder) => isAbsolute(folder) && !isNpmsOwn(folder))
		.map((folder) => realPathOf(join(folder, 'signalbox')))
		.find((found) => found !== null);
	if (onPath && onPath === realPathOf(program)) return 'signalbox';
	const cached = /^.*\/_npx\/[^/]+(?=\/)/.exec(program)?.[0];
	if (cached !== undefined) return `npx ${requestedPackage(cached)}`;
	const near = cwd === undefined ? program : relative(cwd, program);
	const path = near.startsWith('..') ? program : near;
	return `node ${shellWord(path)}`;
}

/**
 * What npx was asked for: the package by its name, or a file of it, whose name alone could bring another one. An absolute
 * path without `file:` npx would run as a program.
 */
function requestedPackage(folder: string): string {
	const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const version = String(dependencies?.signalbox ?? '');
	return version.startsWith('file:')
		? shellWord(`file:${resolve(folder, version.slice('file:'.length))}`)
		: 'signalbox';
}

/** How somebody who is not signed in is told to run this program: never where it or the home lies. */
export interface OpenName {
	name: string;
	/** A condition after "in a terminal of this machine"; usually empty. */
	where: '' | Extract<Plain, `, in the${string}` | `, with this${string}`>;
}

/** The name of this program for pages that everybody on this machine may read. */
export function openName(
	searchPath: string,
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): OpenName {
	const name = programName(searchPath, findPackageRoot());
	const folder = name.startsWith('npx ') || name === 'signalbox' ? '' : ', in the folder of Signalbox';
	const ofHome = withHome('', home, env) === '' ? '' : ", with this server's OVERTONE_HOME";
	return { name, where: `${folder}${ofHome}` };
}

/**
 * A program's name with the home that it is to work on, where that is not the one of `env` without OVERTONE_HOME: who
 * copies a line works on the same home, whatever stands in the environment of that terminal.
 */
export function withHome(program: string, home: string, env: Readonly<Record<string, string | undefined>>): string {
	const usual = resolve(overtoneHome({ ...env, OVERTONE_HOME: undefined }));
	return home === usual ? program : `OVERTONE_HOME=${shellWord(home)} ${program}`;
}

/** One word of a shell: quoted where it has to be. */
export function shellWord(path: string): string {
	return /^[\w.:/@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
