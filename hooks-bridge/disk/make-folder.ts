import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, each with `mode` less the umask. Throws the system's error of the first that cannot
 * be created. Node's recursive mkdir never ends below a folder that refuses new ones, such as /proc.
 */
export function makeFolder(path: string, mode = 0o700): void {
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
	const missing = [path];
	for (let above = dirname(path); isMissing(above); above = dirname(above)) missing.unshift(above);
	for (const folder of missing) makeOne(folder, mode);
}

function isMissing(path: string): boolean {
	return path !== dirname(path) && !statSync(path, { throwIfNoEntry: false });
}

/** A folder that another process has created meanwhile is fine; anything else at its path is not. */
function makeOne(path: string, mode: number): void {
	try {
		mkdirSync(path, { mode });
	} catch (error) {
		if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
	}
}
