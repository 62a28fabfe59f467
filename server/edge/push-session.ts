import { closeSync } from 'node:fs';
import { shapeLines } from '#lib/hub/shape-line.ts';
import { tailDigest } from '../timeline/tail/timeline-file.ts';
import { readFileRange } from './read-range.ts';
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
