import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An empty file and an empty folder that nobody may read: they stand in the sandbox where something is closed. */
export function blankIn(state: string): { file: string; folder: string } {
	const parent = join(state, 'sandbox');
	const blank = { file: join(parent, 'closed-file'), folder: join(parent, 'closed-folder') };
	mkdirSync(blank.folder, { recursive: true, mode: 0o700 });
	if (!lstatSync(blank.file, { throwIfNoEntry: false })) writeFileSync(blank.file, '', { mode: 0 });
	chmodSync(blank.file, 0);
	chmodSync(blank.folder, 0);
	return blank;
}
