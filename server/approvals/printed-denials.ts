import { type Dir, lstatSync, mkdirSync, opendirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { printedDenialsFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { ApprovalId } from '#lib/contract/ids.ts';

const MAX_NOTES = 500;

/** Returns, each once, the tickets whose hooks got no answer and denied: a hook leaves a folder for each. */
export function openPrintedDenials(home: string): () => string[] {
	const folder = printedDenialsFolder(home);
	return () => {
		const entries = openFolder(folder);
		if (entries === null) return [];
		const found: string[] = [];
		try {
			for (let n = 0; n < MAX_NOTES; n += 1) {
				const entry = entries.readSync();
				if (entry === null) break;
				const { success } = ApprovalId.safeParse(entry.name);
				if (success && entry.isDirectory() && isRemoved(join(folder, entry.name))) found.push(entry.name);
			}
		} finally {
			entries.closeSync();
		}
		return found;
	};
}

/** Null for anything but a folder: a link could lead elsewhere. */
function openFolder(folder: string): Dir | null {
	try {
		if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 });
		return lstatSync(folder).isDirectory() ? opendirSync(folder) : null;
	} catch {
		return null;
	}
}

function isRemoved(path: string): boolean {
	try {
		rmdirSync(path);
		return true;
	} catch {
		return false;
	}
}
