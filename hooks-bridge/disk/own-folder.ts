import { lstatSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Whether a path is inside a folder once all links of both are followed. Throws if either does not exist. */
export function isInside(path: string, root: string): boolean {
	const folder = realpathSync.native(root);
	return realpathSync.native(path).startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path is a real folder (no link) inside the project, without a link that leads out of it. */
export function isOwnFolder(root: string, path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && isInside(path, root);
}
