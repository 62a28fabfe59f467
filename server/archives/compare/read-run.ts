import { createReadStream, fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Run, RunHead } from '#lib/compare/compare-runs.ts';
import { recordRun } from '#lib/compare/record-run.ts';
import type { Manifest } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { openTimeline } from '../../timeline/tail/timeline-file.ts';
import type { SyncPorts } from '../features/archive-sync.ts';
import { keptLines, MAX_TIMELINE_BYTES } from '../features/kept-events.ts';
import { streamArchive } from './stream-archive.ts';
import { streamEvents } from './stream-events.ts';

/** A run to be read: an archive with its manifest, or a session by its timeline. */
export type RunSource =
	| { kind: 'archive'; id: string; project: string; manifest: Manifest }
	| { kind: 'session'; id: string };

/** Folds a run as it is on the disk now, piece by piece. Rejects with `archive/damaged` or `session/not-found`. */
export function readRun(source: RunSource, world: SyncPorts): Promise<Run> {
	return source.kind === 'archive' ? readArchive(source, world) : readSession(source.id, world);
}

async function readArchive(source: Extract<RunSource, { kind: 'archive' }>, world: SyncPorts): Promise<Run> {
	const { id, project, manifest } = source;
	const { feature, archivedAt } = manifest;
	const recorder = recordRun(feature);
	for (const session of manifest.sessions)
		await streamArchive({ id, archivedAt }, session, world, recorder.session(session.sessionId).add);
	const head: RunHead = { kind: 'archive', id, title: feature, feature, project, archivedAt };
	return { head, facts: recorder.facts() };
}

async function readSession(sessionId: string, { home, proofOf }: SyncPorts): Promise<Run> {
	const file = openTimeline(join(home, 'sessions'), sessionId);
	if (typeof file === 'string') throw new AppError('session/not-found');
	const { size } = fstatSync(file.fd);
	const recorder = recordRun();
	const lines = keptLines({ sessionId, proofOf, birth: file.birth.toISOString() });
	// What is written meanwhile belongs to the next comparison.
	const bytes = createReadStream('', { fd: file.fd, ...(size > 0 && { end: Math.min(size, MAX_TIMELINE_BYTES) - 1 }) });
	await streamEvents(bytes as AsyncIterable<Buffer>, lines, recorder.session(sessionId).add);
	const facts = recorder.facts();
	const { title, project } = facts.sessions[0]?.view ?? {};
	const head: RunHead = { kind: 'session', id: sessionId, title: title ?? sessionId, ...(project && { project }) };
	return { head, facts };
}
