import { chmodSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../disk/make-folder.ts';

/** An empty file and an empty folder that nobody may read: they stand in the sandbox where something is closed. */
export function blankIn(state: string): { file: string; folder: string } {
	const parent = join(state, 'sandbox');
	const blank = { file: join(parent, 'closed-file'), folder: join(parent, 'closed-folder') };
	makeFolder(blank.folder);
	if (!lstatSync(blank.file, { throwIfNoEntry: false })) writeFileSync(blank.file, '', { mode: 0 });
	chmodSync(blank.file, 0);
	chmodSync(blank.folder, 0);
	return blank;
}
