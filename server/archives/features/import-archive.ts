import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder, stateText } from '#hooks-bridge/disk/write-files.ts';
import { type ArchiveOrigin, archivePath, archivesPath, importedRoot } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import type { ExportHead, ExportLine, Manifest, ManifestTimeline } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { parseArchiveFolder } from '#lib/features/feature-name.ts';
import { draftPath, removeDeadDrafts } from '../backup/backup-file.ts';
import { readManifest } from './archive-sync.ts';
import { MAX_TIMELINE_BYTES } from './archived-events.ts';
import { isArchivable, storeFile } from './archived-files.ts';
import { verifyExport } from './verify-export.ts';

/** The result of an import: the archive's id, and whether the same archive was here already. */
export interface Imported {
	id: string;
	known: boolean;
}

/** Larger state files are refused. */
const MAX_MANIFEST = 1024 * 1024;
const MAX_BYTES = 16 * 1024 ** 3;
/** A document's name: a path below the feature's folder, without hidden parts or `..`. */
const DOCUMENT = /^(?!manifest\.json$)(?:(?!\.)[^/\\\0]{1,200}\/){0,3}(?!\.)[^/\\\0]{1,200}$/u;

/**
 * Imports an export, checked line by line; it appears whole or not at all, and only below the home. Rejects with
 * `request/invalid`, saying where the file is wrong, or with `feature/exists`.
 */
export async function importArchive(home: string, file: string): Promise<Imported> {
	const start = join(archivesPath(home), '.import');
	removeDeadDrafts(start);
	const draft = draftPath(start);
	makeFolder(draft);
	let writer: Awaited<ReturnType<typeof createDraftWriter>> | undefined;
	try {
		const check = await verifyExport(file, async (line) => {
			if ('manifest' in line) writer = createDraftWriter(home, draft, line);
			else await writer?.addPiece(line);
		});
		if (!check.ok) throw refused(check.wrong);
		const { id } = check.head.manifest;
		if (existsSync(archivePath(home, id))) return known(home, check.head.manifest);
		await writer?.end();
		await rename(draft, archivePath(home, id));
		syncFolder(archivesPath(home));
		return { id, known: false };
	} finally {
		await writer?.close();
		await rm(draft, { recursive: true, force: true });
	}
}

function known(home: string, manifest: Manifest): Imported {
	const { id } = manifest;
	if (isDeepStrictEqual(readManifest(home, id), manifest)) return { id, known: true };
	throw new AppError('feature/exists', `Another archive ${id} is here already. Nothing was changed.`);
}

const refused = (wrong: string) => new AppError('request/invalid', `It is wrong at ${wrong}. Nothing was imported.`);

/** Writes an export into a draft folder, which is not yet an archive. */
function createDraftWriter(home: string, draft: string, head: ExportHead) {
	const { manifest, outcome, redacted } = head;
	const wrong = whyNot(manifest, redacted);
	if (wrong !== null) throw refused(wrong);
	const documents = join(draft, 'imported', stateFolder('archive'), manifest.folder);
	const timelines = createTimelineWriter(draft, manifest);

	async function acceptLine(line: ExportLine): Promise<void> {
		if ('timeline' in line) await timelines.addPiece(line.timeline);
		else if ('file' in line) {
			const { sessionId, name, data } = line.file;
			const session = manifest.sessions.find((kept) => kept.sessionId === sessionId);
			const file = session?.files.find((kept) => kept.name === name);
			if (file) await storeFile(draft, sessionId, file, Buffer.from(data, 'base64'));
		} else if ('document' in line) {
			const path = join(documents, line.document.name);
			makeFolder(dirname(path));
			await write(path, Buffer.from(line.document.data, 'base64'));
		}
	}

	return {
		addPiece: acceptLine,
		close: () => timelines.close(),
		async end(): Promise<void> {
			await timelines.end();
			const { id, folder, feature, workflow, created, sessions } = manifest;
			const origin: ArchiveOrigin = {
				root: importedRoot(home, id),
				folder,
				feature,
				archivedAt: Date.parse(manifest.archivedAt),
				sessions: sessions.map(({ sessionId }) => sessionId),
				imported: true,
				...(workflow && { workflow }),
				...(created && { created }),
			};
			makeFolder(documents);
			await write(join(documents, 'manifest.json'), stateText(manifest));
			await write(join(draft, 'origin.json'), stateText(origin));
			if (outcome) await write(join(draft, 'outcome.json'), stateText(outcome));
			await write(join(draft, 'manifest.json'), stateText(manifest));
		},
	};
}

/** Why a home cannot contain this archive, as the position in the file. */
function whyNot(manifest: Manifest, redacted: boolean): string | null {
	if (redacted) return 'line 1: what was said is left out, so there is nothing to keep; it can be opened';
	if (parseArchiveFolder(manifest.folder) === null || readFeatureId(manifest.id)?.nameOrFolder !== manifest.folder)
		return 'line 1: its id and folder do not name an archive';
	if (Buffer.byteLength(stateText(manifest)) > MAX_MANIFEST)
		return 'line 1: it names more files than a home keeps of one feature';
	const files = manifest.sessions.flatMap((session) => session.files);
	const alien = files.find(({ name }) => !isArchivable(name))?.name;
	const stray = manifest.documents.find(({ name }) => !DOCUMENT.test(name))?.name;
	if (alien !== undefined || stray !== undefined)
		return `line 1: ${JSON.stringify(alien ?? stray)} is no name of a file in an archive`;
	const sizes = [...files, ...manifest.documents, ...manifest.sessions.flatMap(({ timelines }) => timelines)];
	if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) return 'line 1: it would fill more than 16 GiB';
	const timelines = manifest.sessions.flatMap((session) => session.timelines);
	if (timelines.some(({ bytes }) => bytes > MAX_TIMELINE_BYTES))
		return 'line 1: it has a timeline of more than 1 GiB, which no page could open';
	return null;
}

/** Synced, so that the archive's name comes after its content. */
async function write(path: string, content: string | Buffer): Promise<void> {
	await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
}

interface Piece {
	file: string;
	from: number;
	data: string;
}

interface OpenTimeline {
	timeline: ManifestTimeline;
	at: number;
	digest: ReturnType<typeof createHash>;
	source: PassThrough;
	written: Promise<void>;
	/** Resolves or rejects once the file is closed, which may be after `written`. */
	closed: Promise<unknown>;
}

/** Writes compressed timelines from pieces in order. Rejects with `request/invalid` if they differ from the manifest. */
function createTimelineWriter(folder: string, manifest: Manifest) {
	const known = new Map(manifest.sessions.flatMap(({ timelines }) => timelines).map((each) => [each.file, each]));
	let current: OpenTimeline | undefined;

	function begin(file: string): OpenTimeline {
		const timeline = known.get(file);
		if (!timeline) throw refusedTimeline(file, 'comes twice');
		known.delete(file);
		const source = new PassThrough();
		const out = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600 });
		const closed = once(out, 'close');
		const written = pipeline(source, createGzip(), out);
		for (const promise of [closed, written]) promise.catch(() => undefined);
		return { timeline, at: 0, digest: createHash('sha256'), source, written, closed };
	}

	async function finish(): Promise<void> {
		if (!current) return;
		const { timeline, at, digest, source, written } = current;
		current = undefined;
		source.end();
		await written;
		if (at !== timeline.bytes || digest.digest('hex') !== timeline.sha256)
			throw refusedTimeline(timeline.file, 'is not whole');
		const file = await open(join(folder, timeline.file));
		await file.sync().finally(() => file.close());
	}

	return {
		async addPiece({ file, from, data }: Piece): Promise<void> {
			if (from === 0) {
				await finish();
				current = begin(file);
			}
			if (current?.timeline.file !== file || current.at !== from) throw refusedTimeline(file, 'is out of order');
			const bytes = Buffer.from(data, 'base64');
			current.at += bytes.length;
			current.digest.update(bytes);
			if (current.source.write(bytes)) return;
			const { source, written } = current;
			await Promise.race([new Promise((resolve) => source.once('drain', resolve)), written]);
		},
		/** Resolves when all timelines of the manifest are on the disk. */
		async end(): Promise<void> {
			await finish();
			for (const { file, bytes } of known.values()) {
				if (bytes > 0) throw refusedTimeline(file, 'is missing');
				current = begin(file);
				await finish();
			}
		},
		async close(): Promise<void> {
			current?.source.destroy();
			await Promise.allSettled([current?.written, current?.closed]);
		},
	};
}

const refusedTimeline = (file: string, why: string) =>
	new AppError('request/invalid', `It is wrong at timeline ${file}, which ${why}. Nothing was imported.`);
