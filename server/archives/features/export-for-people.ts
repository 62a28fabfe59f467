import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { ReadableFormat, RedactionCounts } from '#lib/contract/archives/features.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { archiveHtml, htmlStyle } from '#lib/exports/archive-html.ts';
import { archiveMarkdown } from '#lib/exports/archive-markdown.ts';
import { type ArchiveStory, createSessionStory, type SessionStory } from '#lib/exports/archive-story.ts';
import { callsCsv } from '#lib/exports/calls-csv.ts';
import { createRedactionPreview, redactEvent } from '#lib/exports/redact.ts';
import { readOutcome, type SyncPorts } from './archive-sync.ts';
import { archiveEvents } from './archived-events.ts';
import { type ExportJob, presentDocuments, saltedHash } from './export-archive.ts';

/** How a file of each format ends. */
export const formatEnding: Record<ReadableFormat, string> = { html: '.html', markdown: '.md', csv: '.csv' };

/** An archive as a text for people. Rejects with `archive/damaged`. */
export async function exportForPeople(format: ReadableFormat, job: ExportJob, ports: SyncPorts): Promise<string> {
	const story = await readArchiveStory(job, ports);
	switch (format) {
		case 'html':
			return htmlOf(story);
		case 'markdown':
			return archiveMarkdown(story);
		case 'csv':
			// Without a byte order mark, spreadsheets read the file in the machine's code page.
			return `\ufeff${callsCsv(story)}`;
	}
}

/** Writes that text into a new file. Never overwrites; leaves nothing behind if the disk refuses. */
export async function writeForPeople(target: string, format: ReadableFormat, job: ExportJob, ports: SyncPorts) {
	const text = await exportForPeople(format, job, ports);
	const file = await open(target, 'wx', 0o600);
	try {
		await file.writeFile(text);
	} catch (error) {
		await rm(target, { force: true });
		throw error;
	} finally {
		await file.close();
	}
}

async function htmlOf(story: ArchiveStory): Promise<string> {
	const hash = createHash('sha256').update(htmlStyle).digest('base64');
	const pieces: string[] = [];
	for (const piece of archiveHtml(story, hash)) {
		pieces.push(piece);
		if (pieces.length % 500 === 0) await letOthersRun();
	}
	return pieces.join('');
}

const MAX_TEXT = 128 * 1024;

/** Reads the content of an export for people, with pauses for other work. Rejects with `archive/damaged`. */
export async function readArchiveStory(job: ExportJob, ports: SyncPorts): Promise<ArchiveStory> {
	const { manifest, redacted, origin } = job;
	const hash = saltedHash();
	const sessions: SessionStory[] = [];
	for (const kept of manifest.sessions) {
		const { sessionId } = kept;
		const session = createSessionStory(sessionId);
		for await (const { event } of archiveEvents(ports, manifest, kept))
			session.add(redacted ? ({ ...redactEvent(event, hash), sessionId } as IndexedEvent) : event);
		sessions.push(session.story());
	}
	const documents = redacted
		? []
		: Array.from(presentDocuments(manifest, origin), ({ name, bytes }) => ({
				name,
				text: bytes.subarray(0, MAX_TEXT).toString('utf8'),
			}));
	return { manifest, outcome: readOutcome(ports.home, manifest.id), redacted, sessions, documents };
}

/** Counts what the redaction of an archive would leave out. Rejects with `archive/damaged`. */
export async function previewRedaction({ manifest }: ExportJob, ports: SyncPorts): Promise<RedactionCounts> {
	const { documents, sessions } = manifest;
	const preview = createRedactionPreview(
		documents.length + sessions.reduce((sum, session) => sum + session.files.length, 0),
	);
	for (const session of sessions)
		for await (const { event } of archiveEvents(ports, manifest, session)) preview.add(event);
	return preview.counted();
}
