import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** So many bytes before the cursor are compared, to notice a file that was rewritten in place. */
const TAIL_BYTES = 256;

/** An open timeline. */
export interface OpenTimeline {
	fd: number;
	device: number;
	inode: number;
	birth: Date;
}

/** Where a session's events are. The id was checked before it came here. */
export function timelinePath(sessionsFolder: string, sessionId: string): string {
	return join(sessionsFolder, sessionId, 'timeline.jsonl');
}

/** What stands at the timeline's place. A link or a FIFO could lead or block the server anywhere. */
export function lookAtTimeline(sessionsFolder: string, sessionId: string): Stats | 'absent' | 'refused' {
	const folder = lstatSync(join(sessionsFolder, sessionId), { throwIfNoEntry: false });
	if (!folder) return 'absent';
	if (!folder.isDirectory()) return 'refused';
	const file = lstatSync(timelinePath(sessionsFolder, sessionId), { throwIfNoEntry: false });
	if (!file) return 'absent';
	return file.isFile() ? file : 'refused';
}

/** Opens a timeline for reading, never through a link and never waiting for a FIFO's writer. */
export function openTimeline(sessionsFolder: string, sessionId: string): OpenTimeline | 'absent' | 'refused' {
	const look = lookAtTimeline(sessionsFolder, sessionId);
	if (typeof look === 'string') return look;
	let fd: number;
	try {
		fd = openSync(timelinePath(sessionsFolder, sessionId), READ_FLAGS);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
		if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return 'refused';
		throw error;
	}
	const stats = fstatSync(fd);
	if (stats.isFile()) return { fd, device: stats.dev, inode: stats.ino, birth: stats.birthtime };
	closeSync(fd);
	return 'refused';
}

export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** SHA-256 of the last bytes before `offset`; of fewer when the file is shorter than that. */
export function tailDigest(fd: number, offset: number): string {
	const size = Math.min(TAIL_BYTES, offset);
	const bytes = Buffer.alloc(size);
	const count = readSync(fd, bytes, 0, size, offset - size);
	return hash('sha256', bytes.subarray(0, count), 'hex');
}
