import { statSync } from 'node:fs';

/** Whether a folder is there. A path that cannot be asked about (too long, a NUL, a loop of links, no right) is none. */
export function isFolder(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
	} catch {
		return false;
	}
}
