import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import type { Plain } from '#lib/messages/say.ts';
import { findPackageRoot } from './package-root.ts';

/** The real path, or null if nothing is there. */
function realPathOf(path: string): string | null {
	return tryTo(() => realpathSync(path)) ?? null;
}

/** Folders that npx and npm scripts put before a person's own PATH. */
const isNpmsOwn = (folder: string) => folder.endsWith('/node_modules/.bin') || folder.endsWith('/node-gyp-bin');

/**
 * What a person types to run this program: `signalbox` if PATH leads here, `npx signalbox`, else node with its path, from `cwd`
 * if given.
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
 * What npx was asked for. A package file is named as such: its name alone could fetch another package, and without `file:` npx
 * would run the path.
 */
function requestedPackage(folder: string): string {
	const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const version = String(dependencies?.signalbox ?? '');
	return version.startsWith('file:')
		? shellWord(`file:${resolve(folder, version.slice('file:'.length))}`)
		: 'signalbox';
}

/** How people who are not signed in are asked to run this program: neither its path nor the home's is revealed. */
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

/** A program's name, with OVERTONE_HOME if the home is not the default of `env`: a copied line then uses the same home. */
export function withHome(program: string, home: string, env: Readonly<Record<string, string | undefined>>): string {
	const usual = resolve(overtoneHome({ ...env, OVERTONE_HOME: undefined }));
	return home === usual ? program : `OVERTONE_HOME=${shellWord(home)} ${program}`;
}

/** One word of a shell, quoted if necessary. */
export function shellWord(path: string): string {
	return /^[\w.:/@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
