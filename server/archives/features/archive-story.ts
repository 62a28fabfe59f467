import type { RedactionCounts } from '#lib/contract/archives/features.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { type ArchiveStory, createSessionStory, type SessionStory } from '#lib/exports/archive-story.ts';
import { createRedactionPreview } from '#lib/exports/redaction-preview.ts';
import { redactEvent } from '#lib/features/redact.ts';
import { readOutcome, type SyncPorts } from './archive-sync.ts';
import { type ExportJob, keptDocuments, saltedHash } from './export-archive.ts';
import { archiveEvents } from './kept-events.ts';

const MAX_TEXT = 128 * 1024;

/** Reads what an export for people is made of; others get their turn in between. Rejects with `archive/damaged`. */
export async function readArchiveStory(job: ExportJob, world: SyncPorts): Promise<ArchiveStory> {
	const { manifest, redacted, origin } = job;
	const hash = saltedHash();
	const sessions: SessionStory[] = [];
	for (const kept of manifest.sessions) {
		const { sessionId } = kept;
		const session = createSessionStory(sessionId);
		for await (const { event } of archiveEvents(world, manifest, kept))
			session.add(redacted ? ({ ...redactEvent(event, hash), sessionId } as IndexedEvent) : event);
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
export async function previewRedaction({ manifest }: ExportJob, world: SyncPorts): Promise<RedactionCounts> {
	const { documents, sessions } = manifest;
	const preview = createRedactionPreview(
		documents.length + sessions.reduce((sum, session) => sum + session.files.length, 0),
	);
	for (const session of sessions)
		for await (const { event } of archiveEvents(world, manifest, session)) preview.add(event);
	return preview.counted();
}
