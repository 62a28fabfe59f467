import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '#lib/contract/hub/hub-wire.ts';

export const packBody = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 1 });

const MIN_CHUNK = 64;

/** Never unpacks more than the header announced; null if the length differs. */
export function unpackBody(body: Uint8Array, length: number): Buffer | null {
	if (length > MAX_BODY_BYTES) return null;
	if (length === 0) return body.length === 0 ? Buffer.alloc(0) : null;
	try {
		// As small as possible, since it stays in memory while its lines wait: zlib's default is 16 KiB.
		const bytes = gunzipSync(body, { maxOutputLength: length, chunkSize: Math.max(MIN_CHUNK, length + 1) });
		return bytes.length === length ? bytes : null;
	} catch {
		return null;
	}
}
