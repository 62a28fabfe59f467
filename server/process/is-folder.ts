import { statSync } from 'node:fs';

/** Whether a folder exists. False for a path that cannot be checked (too long, a NUL, a loop of links, no right). */
export function isFolder(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}
