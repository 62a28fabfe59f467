import { writeSync } from 'node:fs';
import { eventLine } from '../engine/fit-event.ts';
import type { SealedEvent } from '../engine/ports.ts';

/** The bytes of some events as they stand in a timeline: each `\n{json}\n`, so that a torn tail swallows nothing. */
export function timelineBytes(events: readonly SealedEvent[]): Buffer {
	return Buffer.from(events.map((event) => `\n${eventLine(event)}\n`).join(''));
}

/**
 * Appends to an `O_APPEND` descriptor in one synchronous write, which nothing can split. After a short write (a
 * full disk) the torn piece stays a gap and everything is written once more: readers know repeats by their id.
 * Throws when that fails too.
 */
export function appendBytes(fd: number, bytes: Buffer, write: typeof writeSync = writeSync): void {
	if (write(fd, bytes) === bytes.length) return;
	if (write(fd, bytes) !== bytes.length) throw new Error('the timeline could not be written: the disk may be full');
}
