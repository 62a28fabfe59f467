import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { readState, writeState } from '#hooks-bridge/disk/state-file.ts';
import { archivePath, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { writeManifest } from '#hooks-bridge/features/settle-archive.ts';
import { FeatureOutcome, Manifest, type ManifestSession } from '#lib/contract/archives/features.ts';
import { countOutcome, featureRole } from '#lib/features/outcome.ts';
import type { LineContext } from '../../timeline/tail/line-event.ts';
import { keepFiles } from './keep-files.ts';
import { keepTimeline } from './keep-timeline.ts';
import { archiveEvents, type KeptEvent } from './kept-events.ts';

/** What the copying of timelines needs. */
export interface SyncPorts {
	home: string;
	proofOf: LineContext['proofOf'];
}

/** The manifest of an archive as the state root has it; null where there is none, or none that can be read. */
export function readManifest(home: string, id: string): Manifest | null {
	return Manifest.safeParse(readState(join(archivePath(home, id), 'manifest.json'))).data ?? null;
}

/** What an archive's timelines came to when they were last counted; null where that has not been done. */
export function readOutcome(home: string, id: string): FeatureOutcome | null {
	return FeatureOutcome.safeParse(readState(join(archivePath(home, id), 'outcome.json'))).data ?? null;
}

/**
 * Copies what is new of an archive's sessions and counts the feature anew where that changed something. May be repeated at any time; one at a time for one archive. Null where there is no such archive.
 */
export async function syncArchive(id: string, world: SyncPorts): Promise<Manifest | null> {
	const origin = readOrigin(world.home, id);
	const before = readManifest(world.home, id);
	if (!origin || !before) return null;
	// What another machine recorded is as it is.
	if (origin.imported) return before;
	const folder = archivePath(world.home, id);
	const sessions: ManifestSession[] = [];
	for (const session of withSessions(before.sessions, origin.sessions)) {
		const job = { sessionsFolder: join(world.home, 'sessions'), folder, sessionId: session.sessionId };
		const timelines = await keepTimeline(job, session.timelines);
		const files = await keepFiles(
			sessionFolder(world.home, session.sessionId),
			folder,
			session.sessionId,
			session.files,
		);
		sessions.push({ ...session, timelines, files });
	}
	const changed = !isDeepStrictEqual(sessions, before.sessions);
	// What an older version counted lacks the idle time.
	if (!changed && readOutcome(world.home, id)?.idleMs !== undefined) return before;
	const counted = await count({ ...before, sessions }, world);
	const complete = counted.sessions.every(({ ended }) => ended);
	const manifest = { ...before, sessions: counted.sessions, complete };
	// The manifest last: whoever dies before it finds something changed again.
	writeState(join(folder, 'outcome.json'), counted.outcome);
	writeManifest(world.home, id, origin, manifest);
	return manifest;
}

function withSessions(known: readonly ManifestSession[], more: readonly string[]): ManifestSession[] {
	const ids = new Set(known.map(({ sessionId }) => sessionId));
	const added = [...new Set(more)].filter((sessionId) => !ids.has(sessionId));
	return [...known, ...added.map((sessionId) => ({ sessionId, ended: false, timelines: [], files: [] }))];
}

/** Folds all that is kept: the numbers, where the feature lies in each timeline, and whether the session has ended. */
async function count(manifest: Manifest, world: SyncPorts) {
	const outcome = countOutcome(manifest.feature);
	const sessions: ManifestSession[] = [];
	for (const session of manifest.sessions) {
		const { sessionId } = session;
		const folded = outcome.session(sessionId);
		const part = partOf(manifest.feature);
		for await (const kept of archiveEvents(world, manifest, session)) {
			folded.add(kept.event);
			part.add(kept);
		}
		const view = folded.view();
		// A session that left no timeline has nothing more to come.
		const ended = session.timelines.length === 0 || view.ended !== undefined || view.lost !== undefined;
		sessions.push({ ...session, ended, ...part.found() });
	}
	return { sessions, outcome: outcome.total() };
}

/** The bytes from the line that binds the session to the feature up to the one that archives it. */
function partOf(feature: string) {
	let from: number | undefined;
	let to = 0;
	let closed = false;
	return {
		add({ event, ...line }: KeptEvent): void {
			const role = featureRole(event, feature);
			if (role === 'binds') from ??= line.from;
			if (!closed) to = line.to;
			closed ||= role === 'archives';
		},
		found: () => (from === undefined ? {} : { part: { from, to } }),
	};
}
