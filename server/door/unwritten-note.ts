import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'unwritten';
/** Overwritten in place, which also works on a full disk. */
const BYTES = 16;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** How many events wait in memory, stored where it survives a killed process. */
export interface UnwrittenNote {
	/** The number that the previous process wrote. */
	left: number;
	set(count: number): void;
	close(): void;
}

/** Opens the note of a home. If the disk refuses it, there is no note, and nothing fails. */
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
		// Log and incidents report lost lines anyway.
	}
	return {
		left: Math.max(0, last),
		set(count) {
			if (fd === undefined || count === last) return;
			try {
				writeCount(fd, count);
				last = count;
			} catch {}
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
