import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws what the system refuses where this user could not write into a folder, or make it where it is missing. */
export function requireWritable(folder: string): void {
	const above = dirname(folder);
	if (above !== folder && !statSync(folder, { throwIfNoEntry: false })) requireWritable(above);
	else accessSync(folder, constants.W_OK | constants.X_OK);
}
