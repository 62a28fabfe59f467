import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#lib/contract/errors.ts';

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/**
 * The bytes of a regular file that lies in this very folder; the agent may have put anything there, so links are not
 * followed. `name` must be one proven path part. Throws `file/not-found`, or `file/too-large` over `max` bytes.
 */
export async function readSessionFile(folder: string, name: string, max: number): Promise<Buffer<ArrayBuffer>> {
	const path = join(folder, name);
	const file = await open(path, FLAGS).catch(() => {
		throw new AppError('file/not-found');
	});
	try {
		const stat = await file.stat();
		if (!stat.isFile() || dirname(await realpath(path)) !== join(await realpath(dirname(folder)), basename(folder))) {
			throw new AppError('file/not-found');
		}
		if (stat.size > max) throw new AppError('file/too-large');
		const bytes = Buffer.alloc(stat.size);
		let length = 0;
		while (length < bytes.length) {
			const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
			if (bytesRead === 0) break;
			length += bytesRead;
		}
		return bytes.subarray(0, length);
	} finally {
		await file.close();
	}
}
