import { closeSync, readSync } from 'node:fs';
import { MAX_RANGE_BYTES, MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';
import { shapeLines } from '#lib/hub/shape-line.ts';
import { MAX_LINE_BYTES, tailDigest } from '../timeline/tail/timeline-file.ts';
import type { SharedFile, SharedSessions } from './shared-sessions.ts';

export interface OutgoingRange {
	from: number;
	to: number;
	digest: string;
	bytes: Uint8Array | null;
}

/** How far one connection has pushed a session. Nothing is stored: the hub knows its own offset. */
export interface PushedSession {
	readonly id: string;
	position: number;
	offset: number | undefined;
	sent: number;
	/** To notice that the file was replaced. */
	sentDigest: string;
	inode: number;
	size: number;
	live: boolean;
}

export const newPushedSession = ({ id, inode, size }: SharedFile, live: boolean): PushedSession => ({
	id,
	position: 0,
	offset: undefined,
	sent: 0,
	sentDigest: '',
	inode,
	size,
	live,
});

export function matchesHub(file: SharedFile, { offset, digest }: { offset: number; digest: string }): boolean {
	return offset === 0 || (offset <= file.size && tailDigest(file.fd, offset) === digest);
}

/** Null: all whole lines are sent. `rewritten`: the file was replaced. */
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
const STEP_BYTES = 256 * 1024;

interface FileRange {
	to: number;
	bytes: Buffer | null;
}

export function readFileRange(fd: number, from: number): FileRange | undefined {
	const bytes = Buffer.allocUnsafe(MAX_RANGE_BYTES);
	const count = readSync(fd, bytes, 0, bytes.length, from);
	const end = endOfLines(bytes.subarray(0, count));
	if (end > 0) return { to: from + end, bytes: bytes.subarray(0, end) };
	if (count < bytes.length) return;
	return readLongLine(fd, from);
}

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
