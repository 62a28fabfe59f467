import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadableFormat } from '#lib/contract/archives/features.ts';
import { archiveHtml } from '#lib/exports/archive-html.ts';
import { archiveMarkdown } from '#lib/exports/archive-markdown.ts';
import type { ArchiveStory } from '#lib/exports/archive-story.ts';
import { callsCsv } from '#lib/exports/calls-csv.ts';
import { htmlStyle } from '#lib/exports/html-style.ts';
import { readArchiveStory } from './archive-story.ts';
import type { SyncPorts } from './archive-sync.ts';
import type { ExportJob } from './export-archive.ts';

/** How a file of each format ends. */
export const formatEnding: Record<ReadableFormat, string> = { html: '.html', markdown: '.md', csv: '.csv' };

/** An archive as a text for people. Rejects with `archive/damaged`. */
export async function exportForPeople(format: ReadableFormat, job: ExportJob, world: SyncPorts): Promise<string> {
	const story = await readArchiveStory(job, world);
	switch (format) {
		case 'html':
			return htmlOf(story);
		case 'markdown':
			return archiveMarkdown(story);
		case 'csv':
			// Spreadsheets take a file without the mark for one in the machine's own code page.
			return `\ufeff${callsCsv(story)}`;
	}
}

/** Writes the same into a file of its own. Never overwrites; leaves nothing behind where the disk refuses. */
export async function writeForPeople(target: string, format: ReadableFormat, job: ExportJob, world: SyncPorts) {
	const text = await exportForPeople(format, job, world);
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
		if (pieces.push(piece) % 500 === 0) await turn();
	}
	return pieces.join('');
}
