import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { FileRead } from '../ports/ports.ts';
import { systemErrorCode } from './system-error-code.ts';

const MAX_BYTES = 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/** As FileRead, with the file's bytes. */
export type BytesRead = { ok: true; bytes: Buffer; mtimeMs: number } | Exclude<FileRead, { ok: true }>;

/**
 * The one way to read a file that the agent could have placed: regular, at most 1 MiB, not a link, with `root` inside that
 * folder. Never blocks on a FIFO, never throws.
 */
export function readBounded(path: string, root?: string): FileRead {
	const read = readBoundedBytes(path, root);
	return read.ok ? { ok: true, text: read.bytes.toString('utf8'), mtimeMs: read.mtimeMs } : read;
}

/** As `readBounded`, for files that need not be text. */
export function readBoundedBytes(path: string, root?: string): BytesRead {
	let fd: number | undefined;
	try {
		// Most requested files do not exist: an exception for each would cost more than all the rest.
		if (!lstatSync(path, { throwIfNoEntry: false })) return { ok: false, why: 'absent' };
		fd = openSync(path, FLAGS);
		const stat = fstatSync(fd);
		if (!stat.isFile()) return { ok: false, why: 'not-regular' };
		if (root !== undefined && !isInside(path, root)) return { ok: false, why: 'outside' };
		if (stat.size > MAX_BYTES) return { ok: false, why: 'too-large' };
		const bytes = readUpTo(fd, MAX_BYTES + 1, stat.size);
		if (bytes.length > MAX_BYTES) return { ok: false, why: 'too-large' };
		return { ok: true, bytes, mtimeMs: stat.mtimeMs };
	} catch (error) {
		return { ok: false, why: whyOf(error) };
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

/** Reads to the end of the file or `max`; a file may grow while it is read. */
function readUpTo(fd: number, max: number, size: number): Buffer {
	let buffer = Buffer.allocUnsafe(Math.min(max, size + 1));
	let length = 0;
	for (;;) {
		const read = readSync(fd, buffer, length, buffer.length - length, null);
		length += read;
		if (read === 0 || length === max) return buffer.subarray(0, length);
		if (length === buffer.length) {
			const larger = Buffer.allocUnsafe(Math.min(max, buffer.length * 2));
			buffer.copy(larger);
			buffer = larger;
		}
	}
}

function whyOf(error: unknown): Exclude<FileRead, { ok: true }>['why'] {
	switch (systemErrorCode(error)) {
		case 'ENOENT':
		case 'ENOTDIR':
		case 'ENAMETOOLONG':
			return 'absent';
		case 'ELOOP':
			return 'outside';
		case 'ENXIO':
			return 'not-regular';
		default:
			return 'unreadable';
	}
}

/** Whether a path is inside a folder once all links of both are followed. Throws if either does not exist. */
export function isInside(path: string, root: string): boolean {
	const folder = realpathSync.native(root);
	return realpathSync.native(path).startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path is a real folder (no link) inside the project, without a link that leads out of it. */
export function isOwnFolder(root: string, path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && isInside(path, root);
}
