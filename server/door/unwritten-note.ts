import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'unwritten';
/** Written over in place: a file that has its bytes takes others on a disk that is full. */
const BYTES = 16;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** How many events wait in memory, kept where it outlives a process that is killed. */
export interface UnwrittenNote {
	/** What the last one had in memory when it ended. */
	left: number;
	set(count: number): void;
	close(): void;
}

/** Opens the note of a home. On a disk that takes none there is no note, and nothing fails. */
export function openUnwrittenNote(home: string): UnwrittenNote {
	let fd: number | undefined;
	let last = 0;
	try {
		fd = openSync(join(home, NAME), FLAGS, 0o600);
		const bytes = Buffer.alloc(BYTES);
		last = Number.parseInt(bytes.toString('latin1', 0, readSync(fd, bytes, 0, BYTES, 0)), 10) || 0;
		if (last === 0) writeCount(fd, 0);
		ftruncateSync(fd, BYTES);
	} catch {
		// The server's log and its incidents say what is not kept.
	}
	return {
		left: Math.max(0, last),
		set(count) {
			if (fd === undefined || count === last) return;
			try {
				writeCount(fd, count);
				last = count;
			} catch {
				// As above.
			}
		},
		close() {
			if (fd !== undefined) closeSync(fd);
			fd = undefined;
		},
	};
}

function writeCount(fd: number, count: number): void {
	writeSync(fd, `${String(count).padStart(BYTES - 1, '0')}\n`, 0, 'latin1');
}
