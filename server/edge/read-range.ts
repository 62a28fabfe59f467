import { readSync } from 'node:fs';
import { MAX_RANGE_BYTES, MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';
import { MAX_LINE_BYTES } from '../timeline/tail/line-reader.ts';

const NEWLINE = 10;
/** A line without end is looked through in steps of this. */
const STEP_BYTES = 256 * 1024;

/** Whole lines from an offset on: up to `to`, or, where `bytes` is null, one line that is too long to be sent. */
export interface FileRange {
	to: number;
	bytes: Buffer | null;
}

/** The next range of a timeline; undefined while no whole line follows. */
export function readFileRange(fd: number, from: number): FileRange | undefined {
	const bytes = Buffer.allocUnsafe(MAX_RANGE_BYTES);
	const count = readSync(fd, bytes, 0, bytes.length, from);
	const end = endOfLines(bytes.subarray(0, count));
	if (end > 0) return { to: from + end, bytes: bytes.subarray(0, end) };
	if (count < bytes.length) return;
	return readLongLine(fd, from);
}

/** Behind the last line that fits into one range; 0 where there is no whole one. */
function endOfLines(bytes: Buffer): number {
	let end = 0;
	for (let lines = 0; lines < MAX_RANGE_LINES; lines += 1) {
		const next = bytes.indexOf(NEWLINE, end) + 1;
		if (next === 0) break;
		end = next;
	}
	return end;
}

function readLongLine(fd: number, from: number): FileRange | undefined {
	const step = Buffer.allocUnsafe(STEP_BYTES);
	for (let at = from + MAX_RANGE_BYTES; ; ) {
		const count = readSync(fd, step, 0, step.length, at);
		if (count === 0) return;
		const end = step.subarray(0, count).indexOf(NEWLINE);
		at += end === -1 ? count : end + 1;
		if (end === -1) continue;
		if (at - from - 1 > MAX_LINE_BYTES) return { to: at, bytes: null };
		const bytes = Buffer.allocUnsafe(at - from);
		readSync(fd, bytes, 0, bytes.length, from);
		return { to: at, bytes };
	}
}
