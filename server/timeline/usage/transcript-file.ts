import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { isInside } from '#hooks-bridge/disk/own-folder.ts';
import { READ_FLAGS, tailDigest } from '../tail/timeline-file.ts';

/** The largest transcript that is read. */
const MAX_BYTES = 1024 * 1024 * 1024;
const NEWLINE = 10;

/** An open transcript. */
export interface TranscriptFile {
	fd: number;
	device: number;
	inode: number;
	size: number;
}

/** Why a file is not read, for a person. */
export interface Refusal {
	refused: string;
}

/** Where reading of a transcript stands, and enough to notice that another file stands in its place. */
export interface TranscriptCursor extends Omit<TranscriptFile, 'fd' | 'size'> {
	/** The end of the last whole line. */
	offset: number;
	/** As `ReadPosition.scanned`. */
	scanned: number;
	digest: string;
}

/**
 * Opens a transcript below `root`, whose path only the agent has named: a plain file of this user, through no link out of
 * that folder, never waiting for a FIFO's writer. Null where there is none. Never throws.
 */
export function openTranscript(path: string, root: string): TranscriptFile | Refusal | null {
	let fd: number | undefined;
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (!stat) return null;
		if (!stat.isFile()) return { refused: 'it is a link or no plain file' };
		if (!isInside(path, root)) return { refused: 'it leads out of the client’s folder through a link' };
		fd = openSync(path, READ_FLAGS);
		const { dev: device, ino: inode, size, uid } = fstatSync(fd);
		if (device !== stat.dev || inode !== stat.ino) return closeRefused(fd, 'it was replaced while it was opened');
		if (uid !== process.getuid?.()) return closeRefused(fd, 'it belongs to another user');
		if (size > MAX_BYTES) return closeRefused(fd, 'it is larger than 1 GiB');
		return { fd, device, inode, size };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
		return code === 'ENOENT' || code === 'ENOTDIR' ? null : closeRefused(fd, `it cannot be read (${code})`);
	}
}

function closeRefused(fd: number | undefined, refused: string): Refusal {
	if (fd !== undefined) closeSync(fd);
	return { refused };
}

/** Where to read on: at the cursor, if this is its file and nobody rewrote it since; else at the start. */
export function resumeAt(file: TranscriptFile, cursor: TranscriptCursor | undefined): TranscriptCursor {
	const { fd, device, inode, size } = file;
	const isSame =
		cursor &&
		cursor.device === device &&
		cursor.inode === inode &&
		cursor.scanned <= size &&
		tailDigest(fd, cursor.offset) === cursor.digest;
	return isSame ? cursor : cursorAt(file, 0);
}

/** A cursor behind what a timeline says was read; at the start where no line ends there. */
export function cursorAt({ fd, device, inode, size }: TranscriptFile, offset: number): TranscriptCursor {
	const isLineEnd = offset > 0 && offset <= size && byteAt(fd, offset - 1) === NEWLINE;
	const at = isLineEnd ? offset : 0;
	return { device, inode, offset: at, scanned: at, digest: tailDigest(fd, at) };
}

function byteAt(fd: number, position: number): number | undefined {
	const byte = Buffer.alloc(1);
	return readSync(fd, byte, 0, 1, position) === 1 ? byte[0] : undefined;
}

/** Whether the file's first bytes after `offset` hold a text. */
export function beginsWithHint(fd: number, offset: number, hint: string): boolean {
	const head = Buffer.alloc(4096);
	return head.subarray(0, readSync(fd, head, 0, head.length, offset)).includes(hint);
}
