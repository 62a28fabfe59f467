import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '#lib/contract/hub/hub-wire.ts';

/** Packs a frame's body: the quickest level, since lines are much alike. */
export const packBody = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 1 });

/** Of zlib. */
const LEAST_CHUNK = 64;

/**
 * Unpacks a body of which its header says how long it is; null where it is something else. It is never unpacked any
 * further than that.
 */
export function unpackBody(body: Uint8Array, length: number): Buffer | null {
	if (length > MAX_BODY_BYTES) return null;
	if (length === 0) return body.length === 0 ? Buffer.alloc(0) : null;
	try {
		// What it is unpacked into lives as long as its lines wait: 16 KiB each, if nothing is said.
		const bytes = gunzipSync(body, { maxOutputLength: length, chunkSize: Math.max(LEAST_CHUNK, length + 1) });
		return bytes.length === length ? bytes : null;
	} catch {
		return null;
	}
}
