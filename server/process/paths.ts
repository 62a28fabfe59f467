import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';

const MEGABYTE = 1024 * 1024;
/** A disk is nearly full below both of these: five in a hundred of a large disk are plenty. */
const LOW_BYTES = 500 * MEGABYTE;
const LOW_SHARE = 0.05;

/** Space on a disk, in bytes: what this user may still write, and the total. */
export interface DiskRoom {
	free: number;
	total: number;
	isLow: boolean;
}

/** The space on the disk under `path`; undefined if the system does not report it. */
export function diskRoom(path: string): DiskRoom | undefined {
	const { bavail, blocks, bsize } = tryTo(() => statfsSync(path)) ?? { bavail: 0, blocks: 0, bsize: 0 };
	const [free, total] = [bavail * bsize, blocks * bsize];
	return total > 0 ? { free, total, isLow: free < Math.min(LOW_BYTES, total * LOW_SHARE) } : undefined;
}

/** Whether a folder exists. False for a path that cannot be checked (too long, a NUL, a loop of links, no right). */
export function isFolder(path: string): boolean {
	return tryTo(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) ?? false;
}

/** Throws the system's error if this user cannot write into a folder, or cannot create it. */
export function requireWritable(folder: string): void {
	const above = dirname(folder);
	if (above !== folder && !statSync(folder, { throwIfNoEntry: false })) requireWritable(above);
	else accessSync(folder, constants.W_OK | constants.X_OK);
}

/** A text that changes whenever the file is written, replaced or made readable to others; empty if there is none. */
export function fileStamp(path: string): string {
	const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
	return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(' ') : '';
}
