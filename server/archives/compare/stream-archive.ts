import { createReadStream, type ReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import type { Manifest, ManifestSession } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import type { SyncPorts } from '../features/archive-sync.ts';
import { keptLines, MAX_TIMELINE_BYTES } from '../features/kept-events.ts';
import { streamEvents } from './stream-events.ts';

/**
 * Gives the events of one session of an archive, piece by piece; false from `add` ends the reading. Rejects with
 * `archive/damaged`.
 */
export async function streamArchive(
	{ id, archivedAt }: Pick<Manifest, 'id' | 'archivedAt'>,
	{ sessionId, timelines }: Pick<ManifestSession, 'sessionId' | 'timelines'>,
	{ home, proofOf }: SyncPorts,
	add: (event: IndexedEvent) => boolean,
): Promise<void> {
	const lines = keptLines({ sessionId, proofOf, birth: archivedAt });
	try {
		for (const { file } of timelines) {
			const packed = createReadStream(join(archivePath(home, id), file));
			await streamEvents(unpacked(packed), lines, add);
		}
	} catch (error) {
		throw new AppError('archive/damaged', undefined, { cause: error });
	}
}

/** A small file may claim to hold a lot. */
async function* unpacked(packed: ReadStream): AsyncGenerator<Buffer> {
	const gunzip = createGunzip();
	packed.on('error', (error) => gunzip.destroy(error));
	let left = MAX_TIMELINE_BYTES;
	try {
		for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
			left -= chunk.length;
			if (left < 0) throw new Error(`more than ${MAX_TIMELINE_BYTES} bytes`);
			yield chunk;
		}
	} finally {
		packed.destroy();
	}
}
