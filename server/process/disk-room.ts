import { statfsSync } from 'node:fs';

const MEGABYTE = 1024 * 1024;
/** Below both of these a disk is nearly full: of a large one five in a hundred are plenty. */
const LOW_BYTES = 500 * MEGABYTE;
const LOW_SHARE = 0.05;

/** What a disk has room for, in bytes: what this user may still write, and all that it holds. */
export interface DiskRoom {
	free: number;
	total: number;
	isLow: boolean;
}

/** The room of the disk under `path`; undefined where the system does not say. */
export function diskRoom(path: string): DiskRoom | undefined {
	try {
		const { bavail, blocks, bsize } = statfsSync(path);
		const [free, total] = [bavail * bsize, blocks * bsize];
		return total > 0 ? { free, total, isLow: free < Math.min(LOW_BYTES, total * LOW_SHARE) } : undefined;
	} catch {
		return undefined;
	}
}
