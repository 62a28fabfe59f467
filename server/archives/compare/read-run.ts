import type { Run, RunHead } from '#lib/compare/compare-runs.ts';
import { recordRun } from '#lib/compare/record-run.ts';
import type { Manifest } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents, type KeptEvent, sessionEvents } from '../features/kept-events.ts';

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
		await record(archiveEvents(world, { id, archivedAt }, session), recorder.session(session.sessionId));
	const head: RunHead = { kind: 'archive', id, title: feature, feature, project, archivedAt };
	return { head, facts: recorder.facts() };
}

async function readSession(sessionId: string, world: SyncPorts): Promise<Run> {
	const events = sessionEvents(world, sessionId);
	if (!events) throw new AppError('session/not-found');
	const recorder = recordRun();
	await record(events, recorder.session(sessionId));
	const facts = recorder.facts();
	const { title, project } = facts.sessions[0]?.view ?? {};
	const head: RunHead = { kind: 'session', id: sessionId, title: title ?? sessionId, ...(project && { project }) };
	return { head, facts };
}

async function record(events: AsyncIterable<KeptEvent>, { add }: ReturnType<ReturnType<typeof recordRun>['session']>) {
	for await (const { event } of events) if (!add(event)) return;
}
