import { statSync } from 'node:fs';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';

/** Whether a folder exists. False for a path that cannot be checked (too long, a NUL, a loop of links, no right). */
export function isFolder(path: string): boolean {
	return tryTo(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) ?? false;
}
