import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import type { RedactionCounts } from '#lib/contract/archives/features.ts';
import { type ArchiveStory, createSessionStory, type SessionStory } from '#lib/exports/archive-story.ts';
import { createRedactionPreview } from '#lib/exports/redaction-preview.ts';
import { redactEvent } from '#lib/features/redact.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { readOutcome, type SyncPorts } from './archive-sync.ts';
import { type ExportJob, keptDocuments, saltedHash } from './export-archive.ts';
import { inTurns } from './in-turns.ts';
import { keptEvents, unpackTimelines } from './kept-events.ts';

const MAX_TEXT = 128 * 1024;

/** Reads what an export for people is made of; others get their turn in between. Rejects with `archive/damaged`. */
export async function readArchiveStory(job: ExportJob, world: SyncPorts): Promise<ArchiveStory> {
	const { manifest, redacted, origin } = job;
	const hash = saltedHash();
	const sessions: SessionStory[] = [];
	for (const { sessionId } of manifest.sessions) {
		const session = createSessionStory(sessionId);
		await eachEvent(job, sessionId, world, (event) => {
			session.add(redacted ? ({ ...redactEvent(event, hash), sessionId } as IndexedEvent) : event);
		});
		sessions.push(session.story());
	}
	const documents = redacted
		? []
		: Array.from(keptDocuments(manifest, origin), ({ name, bytes }) => ({
				name,
				text: bytes.subarray(0, MAX_TEXT).toString('utf8'),
			}));
	return { manifest, outcome: readOutcome(world.home, manifest.id), redacted, sessions, documents };
}

/** Counts what the redaction of an archive would leave out. Rejects with `archive/damaged`. */
export async function previewRedaction(job: ExportJob, world: SyncPorts): Promise<RedactionCounts> {
	const { documents, sessions } = job.manifest;
	const preview = createRedactionPreview(
		documents.length + sessions.reduce((sum, session) => sum + session.files.length, 0),
	);
	for (const { sessionId } of sessions) await eachEvent(job, sessionId, world, preview.add);
	return preview.counted();
}

async function eachEvent(
	{ manifest }: ExportJob,
	sessionId: string,
	{ home, proofOf }: SyncPorts,
	take: (event: IndexedEvent) => void,
): Promise<void> {
	const session = manifest.sessions.find((kept) => kept.sessionId === sessionId);
	if (!session) return;
	const timelines = await unpackTimelines(archivePath(home, manifest.id), session);
	await inTurns(
		(function* (): Generator<undefined, void> {
			for (const { event } of keptEvents(timelines, { sessionId, proofOf, birth: manifest.archivedAt })) {
				take(event);
				yield;
			}
		})(),
	);
}
