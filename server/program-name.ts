import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { findPackageRoot } from './package-root.ts';

/** The real place of a path, or null where nothing is. */
function realPlace(path: string): string | null {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}

/**
 * What a person types to run this program: `signalbox` where the first of that name on `searchPath` (PATH) is this one,
 * else node with its place, as seen from the folder `cwd`; without one, from anywhere.
 */
export function programName(
	searchPath: string,
	cwd?: string,
	program = join(findPackageRoot(), 'dist/signalbox.js'),
): string {
	const onPath = searchPath
		.split(delimiter)
		.filter(isAbsolute)
		.map((folder) => realPlace(join(folder, 'signalbox')))
		.find((found) => found !== null);
	if (onPath && onPath === realPlace(program)) return 'signalbox';
	const near = cwd === undefined ? program : relative(cwd, program);
	const place = near.startsWith('..') ? program : near;
	return `node ${/^[\w./@+-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`}`;
}
