import { closeSync, readSync } from 'node:fs';
import { MAX_RANGE_BYTES, MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';
import { shapeLines } from '#lib/hub/shape-line.ts';
import { MAX_LINE_BYTES, tailDigest } from '../timeline/tail/timeline-file.ts';
import type { SharedFile, SharedSessions } from './shared-sessions.ts';

/** A range on its way. */
export interface OutgoingRange {
	from: number;
	to: number;
	digest: string;
	/** Null where it is one line that is too long. */
	bytes: Uint8Array | null;
}

/** How far a session is with the hub, during one connection. Nothing of it is kept: the hub knows where it goes on. */
export interface PushedSession {
	readonly id: string;
	turn: number;
	/** What is committed at the hub; undefined until it has said so. */
	offset: number | undefined;
	/** Sent up to there. */
	sent: number;
	/** Digest of what was sent last, to notice a file that is another now. */
	sentDigest: string;
	inode: number;
	/** Bytes of the file, when it was looked at last. */
	size: number;
	/** Something was appended while this connection stood. */
	live: boolean;
}

/** A session of which the hub has not said anything yet. */
export const newSession = ({ id, inode, size }: SharedFile, live: boolean): PushedSession => ({
	...{ id, turn: 0, offset: undefined, sent: 0, sentDigest: '', inode, size, live },
});

/** What the hub has is the beginning of this file. */
export function fits(file: SharedFile, { offset, digest }: { offset: number; digest: string }): boolean {
	return offset === 0 || (offset <= file.size && tailDigest(file.fd, offset) === digest);
}

/**
 * The next range of a session: null where all whole lines are sent, 'rewritten' where another file stands there than the
 * one of which something was sent.
 */
export function nextRange(
	session: PushedSession,
	{ shared, content }: { shared: SharedSessions; content: 'all' | 'shape' },
): OutgoingRange | null | 'rewritten' {
	const file = shared.open(session.id);
	if (!file) return null;
	try {
		session.size = file.size;
		const from = session.sent;
		const isSame = file.inode === session.inode && file.size >= from;
		if (!isSame || (from > 0 && tailDigest(file.fd, from) !== session.sentDigest)) return 'rewritten';
		const found = readFileRange(file.fd, from);
		if (!found) return null;
		const digest = tailDigest(file.fd, found.to);
		session.sent = found.to;
		session.sentDigest = digest;
		const bytes = found.bytes && content === 'shape' ? shapeLines(found.bytes) : found.bytes;
		return { from, to: found.to, digest, bytes };
	} finally {
		closeSync(file.fd);
	}
}

const NEWLINE = 10;
/** A line without end is looked through in steps of this. */
const STEP_BYTES = 256 * 1024;

/** Whole lines from an offset on: up to `to`, or, where `bytes` is null, one line that is too long to be sent. */
interface FileRange {
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
