import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws the system's error if this user cannot write into a folder, or cannot create it. */
export function requireWritable(folder: string): void {
	const above = dirname(folder);
	if (above !== folder && !statSync(folder, { throwIfNoEntry: false })) requireWritable(above);
	else accessSync(folder, constants.W_OK | constants.X_OK);
}
