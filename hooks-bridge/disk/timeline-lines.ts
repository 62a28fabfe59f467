import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Where reading a timeline ended: after its last whole line, and in which file that was. */
export interface TimelineEnd {
	offset: number;
	ino: number;
}

/**
 * Gives every whole line of a timeline from `from` on with its offset in bytes. A line over 1 MiB is no event and is
 * passed over. Null when there is no regular file.
 */
export function readTimelineLines(
	path: string,
	from: number,
	onLine: (line: string, offset: number) => void,
): TimelineEnd | null {
	let fd: number;
	try {
		fd = openSync(path, FLAGS);
	} catch {
		return null;
	}
	try {
		const stat = fstatSync(fd);
		if (!stat.isFile()) return null;
		const offset = from >= stat.size ? Math.min(from, stat.size) : readFrom(fd, from, stat.size, onLine);
		return { offset, ino: stat.ino };
	} finally {
		closeSync(fd);
	}
}

function readFrom(fd: number, from: number, size: number, onLine: (line: string, offset: number) => void): number {
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - from));
	let at = from;
	let whole = from;
	while (at < size) {
		const read = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
		if (read === 0) break;
		const bytes = buffer.subarray(0, read);
		let start = 0;
		for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
			// A line that began before this chunk was too long for one: only its end is here.
			if (end > start && whole === at + start) onLine(bytes.toString('utf8', start, end), at + start);
			start = end + 1;
			whole = at + start;
		}
		// Without a line break in a full chunk the line is over the limit: its bytes are left behind.
		at = start > 0 && whole > at ? whole : at + read;
		if (read < buffer.length) break;
	}
	return whole;
}

/** The identity of a timeline's file; null when there is none. */
export function timelineIdentity(path: string): { ino: number; size: number } | null {
	try {
		const fd = openSync(path, FLAGS);
		try {
			const { ino, size } = fstatSync(fd);
			return { ino, size };
		} finally {
			closeSync(fd);
		}
	} catch {
		return null;
	}
}
