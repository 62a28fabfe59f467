import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readBoundedBytes } from '#hooks-bridge/disk/bounded-read.ts';
import { archivePath, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import type { Manifest, ManifestSession, ManifestTimeline } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { readManifest } from './archive-sync.ts';
import { timelineRanges, unpackTimeline } from './archived-events.ts';
import { readArchivedFile } from './archived-files.ts';

/** Checks timelines, files and remaining documents against the manifest. Null if all is well, else the first wrong place. */
export async function verifyArchive(home: string, id: string): Promise<string | null> {
	const manifest = readManifest(home, id);
	if (!manifest) return 'manifest.json: not there, or no manifest';
	const folder = archivePath(home, id);
	for (const session of manifest.sessions) {
		const wrong = (await wrongTimeline(folder, session)) ?? (await wrongFile(folder, session));
		if (wrong !== null) return wrong;
	}
	return wrongDocument(home, id, manifest);
}

async function wrongTimeline(folder: string, { timelines }: ManifestSession): Promise<string | null> {
	for (const timeline of timelines) {
		const name = `timeline ${timeline.file}`;
		let wrong: string | null = null;
		let length = 0;
		try {
			for await (const { range, bytes } of timelineRanges(folder, timeline)) {
				length += bytes.length;
				if (range && hash('sha256', bytes) !== range.sha256) wrong ??= `${name}, bytes ${range.from} to ${range.to}`;
			}
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			return `${name}: ${await whyNotWhole(folder, timeline)}`;
		}
		if (length !== timeline.bytes) wrong ??= `${name}: ${length} bytes, not ${timeline.bytes}`;
		if (wrong !== null) return wrong;
	}
	return null;
}

/** How far a truncated file can be read. */
async function whyNotWhole(folder: string, timeline: ManifestTimeline): Promise<string> {
	let far = 0;
	try {
		for await (const { length } of unpackTimeline(folder, timeline, 'as-far')) far += length;
	} catch {
		far = 0;
	}
	return far === 0 ? 'not there, or cannot be unpacked' : `cut after ${far} of ${timeline.bytes} bytes`;
}

async function wrongFile(folder: string, { sessionId, files }: ManifestSession): Promise<string | null> {
	for (const file of files) {
		const bytes = await readArchivedFile(folder, sessionId, file).catch(() => null);
		if (bytes === null) return `file ${sessionId}/${file.name}`;
	}
	return null;
}

function wrongDocument(home: string, id: string, { documents }: Manifest): string | null {
	const origin = readOrigin(home, id);
	if (!origin) return 'origin.json: not there, or no origin';
	for (const { name, sha256 } of documents) {
		const read = readBoundedBytes(join(origin.root, stateFolder('archive'), origin.folder, name), origin.root);
		if (!read.ok && read.why === 'absent') continue;
		if (!read.ok || hash('sha256', read.bytes) !== sha256) return `document ${name}`;
	}
	return null;
}
