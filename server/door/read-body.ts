import type { IncomingMessage } from 'node:http';

/** Longest hook input in bytes: 32 MiB. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How long an over-long body is read and thrown away, so that the sender still gets to read its 413. */
const DRAIN_MS = 1000;

/** Gives the whole body as text to `done`; otherwise as `readBytes`. */
export function readBody(request: IncomingMessage, max: number, done: (text: string | null) => void): void {
	readBytes(request, max, (bytes) => done(bytes === null ? null : bytes.toString('utf8')));
}

/**
 * Gives the whole body to `done`, once, or null when it is longer than `max` bytes.
 * A request that breaks off calls nothing: nobody is left to answer. Callbacks, because a promise
 * for every request costs a tenth of the door's throughput.
 */
export function readBytes(request: IncomingMessage, max: number, done: (bytes: Buffer | null) => void): void {
	const chunks: Buffer[] = [];
	let size = 0;
	const tooLong = () => {
		request.off('data', take).off('end', finish).resume();
		setTimeout(() => request.destroy(), DRAIN_MS).unref();
		done(null);
	};
	const take = (chunk: Buffer) => {
		size += chunk.length;
		if (size > max) return tooLong();
		chunks.push(chunk);
	};
	const finish = () => {
		const [only] = chunks;
		done(chunks.length === 1 && only ? only : Buffer.concat(chunks, size));
	};
	if (Number(request.headers['content-length'] ?? 0) > max) return tooLong();
	request
		.on('data', take)
		.on('end', finish)
		.on('error', () => request.destroy());
}
