import { createReadStream, fstatSync, type ReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import type { Run, RunHead } from '#lib/compare/compare-runs.ts';
import { recordRun } from '#lib/compare/record-run.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Manifest } from '#lib/contract/features.ts';
import type { SyncWorld } from '../features/archive-sync.ts';
import { keptLines, MAX_TIMELINE_BYTES } from '../features/kept-events.ts';
import { openTimeline } from '../tail/timeline-file.ts';
import { streamEvents } from './stream-events.ts';

/** A run to be read: an archive with its manifest, or a session by its timeline. */
export type RunSource =
	| { kind: 'archive'; id: string; project: string; manifest: Manifest }
	| { kind: 'session'; id: string };

/** Folds a run as it is on the disk now, piece by piece. Rejects with `archive/damaged` or `session/not-found`. */
export function readRun(source: RunSource, world: SyncWorld): Promise<Run> {
	return source.kind === 'archive' ? readArchive(source, world) : readSession(source.id, world);
}

async function readArchive(source: Extract<RunSource, { kind: 'archive' }>, world: SyncWorld): Promise<Run> {
	const { id, project, manifest } = source;
	const { feature, archivedAt } = manifest;
	const book = recordRun(feature);
	for (const { sessionId, timelines } of manifest.sessions) {
		const session = book.session(sessionId);
		const lines = keptLines({ sessionId, proofOf: world.proofOf, birth: archivedAt });
		for (const { file } of timelines) {
			const packed = createReadStream(join(archivePath(world.home, id), file));
			await unpacking(streamEvents(unpacked(packed), lines, session.add));
		}
	}
	const head: RunHead = { kind: 'archive', id, title: feature, feature, project, archivedAt };
	return { head, facts: book.facts() };
}

async function unpacking(work: Promise<void>): Promise<void> {
	try {
		await work;
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

async function readSession(sessionId: string, { home, proofOf }: SyncWorld): Promise<Run> {
	const file = openTimeline(join(home, 'sessions'), sessionId);
	if (typeof file === 'string') throw new AppError('session/not-found');
	const { size } = fstatSync(file.fd);
	const book = recordRun();
	const lines = keptLines({ sessionId, proofOf, birth: file.birth.toISOString() });
	// What is written meanwhile belongs to the next comparison.
	const bytes = createReadStream('', { fd: file.fd, ...(size > 0 && { end: Math.min(size, MAX_TIMELINE_BYTES) - 1 }) });
	await streamEvents(bytes as AsyncIterable<Buffer>, lines, book.session(sessionId).add);
	const facts = book.facts();
	const { title, project } = facts.sessions[0]?.view ?? {};
	const head: RunHead = { kind: 'session', id: sessionId, title: title ?? sessionId, ...(project && { project }) };
	return { head, facts };
}
