import { statfsSync } from 'node:fs';
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
