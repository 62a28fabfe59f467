import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { readBoundedBytes } from '#hooks-bridge/disk/bounded-read.ts';
import { type ArchiveOrigin, archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { type ExportHead, type ExportLine, Manifest } from '#lib/contract/archives/features.ts';
import { redactEvent, type SaltedHash } from '#lib/exports/redact.ts';
import { readOutcome, type SyncPorts } from './archive-sync.ts';
import { archiveEvents, timelineRanges } from './archived-events.ts';
import { readArchivedFile } from './archived-files.ts';

const PIECE_BYTES = 256 * 1024;

/** One archive, and whether texts are left out. */
export interface ExportJob {
	origin: ArchiveOrigin;
	manifest: Manifest;
	redacted: boolean;
}

/**
 * Writes an archive into one file: gzip, a line of JSON each, the manifest first. A redacted one has events only, with a salt
 * that is used once. Never overwrites. Rejects with the file system's error or `archive/damaged`, and leaves nothing.
 */
export async function exportArchive(target: string, job: ExportJob, ports: SyncPorts): Promise<void> {
	const out = createWriteStream(target, { flags: 'wx', mode: 0o600 });
	await new Promise((resolve, reject) => out.once('open', resolve).once('error', reject));
	try {
		await pipeline(Readable.from(packed(sealed(linesOf(job, ports)))), out);
	} catch (error) {
		await rm(target, { force: true });
		throw error;
	}
}

/** Compressed so that every bit of the file has a meaning: the last block begins at a whole byte. */
async function* packed(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	// Twice as fast as the default, and a tenth larger. In large pieces, since each has a fixed cost.
	const gzip = createGzip({ level: 3, chunkSize: PIECE_BYTES });
	const fed = (async () => {
		for await (const line of lines) if (!gzip.write(line)) await once(gzip, 'drain');
		await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
		gzip.end();
	})();
	fed.catch((error) => gzip.destroy(error));
	yield* gzip;
	await fed;
}

async function* sealed(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const digest = createHash('sha256');
	let count = 0;
	for await (const line of lines) {
		digest.update(line);
		count += 1;
		yield line;
	}
	yield exportLine({ end: { lines: count, sha256: digest.digest('hex') } });
}

const exportLine = (line: ExportHead | ExportLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

/** A line whose last field is `data` in base64, which needs no escaping. */
function dataLine(line: ExportLine, bytes: Buffer): Buffer {
	const text = JSON.stringify(line);
	const [before, after] = [Buffer.from(text.slice(0, -3)), Buffer.from(`${text.slice(-3)}\n`)];
	const data = bytes.toString('base64');
	const whole = Buffer.allocUnsafe(before.length + data.length + after.length);
	before.copy(whole);
	whole.write(data, before.length, 'latin1');
	after.copy(whole, before.length + data.length);
	return whole;
}

async function* linesOf(job: ExportJob, ports: SyncPorts): AsyncGenerator<Buffer> {
	const { redacted, origin } = job;
	// Fields in the order of the contract: the same archive gives the same bytes.
	const manifest = Manifest.parse(job.manifest);
	const outcome = readOutcome(ports.home, manifest.id);
	const head = { signalbox: 'archive', version: 1, redacted, manifest: redacted ? bare(manifest) : manifest } as const;
	yield exportLine({ ...head, outcome });
	if (redacted) yield* redactedLines(manifest, ports);
	else {
		yield* wholeLines(manifest, archivePath(ports.home, manifest.id));
		yield* documentLines(manifest, origin);
	}
}

/** Digests of short texts could be guessed. Those of whole timelines cannot, and they identify the archive. */
function bare(manifest: Manifest): Manifest {
	return { ...manifest, documents: [], sessions: manifest.sessions.map((session) => ({ ...session, files: [] })) };
}

async function* wholeLines(manifest: Manifest, folder: string): AsyncGenerator<Buffer> {
	for (const session of manifest.sessions) {
		const { sessionId } = session;
		for (const timeline of session.timelines) {
			for await (const { range, bytes } of timelineRanges(folder, timeline)) {
				if (range) yield dataLine({ timeline: { sessionId, file: timeline.file, ...range, data: '' } }, bytes);
			}
		}
		for (const file of session.files) {
			const bytes = await readArchivedFile(folder, sessionId, file);
			yield dataLine({ file: { sessionId, name: file.name, data: '' } }, bytes);
		}
	}
}

function* documentLines(manifest: Manifest, origin: ArchiveOrigin): Generator<Buffer> {
	for (const { name, bytes } of presentDocuments(manifest, origin))
		yield dataLine({ document: { name, data: '' } }, bytes);
}

/** The documents of an archive that are still at their original path. */
export function* presentDocuments({ documents }: Manifest, { root, folder }: ArchiveOrigin) {
	for (const { name } of documents) {
		const read = readBoundedBytes(join(root, stateFolder('archive'), folder, name), root);
		if (read.ok) yield { name, bytes: read.bytes };
	}
}

/** Digests with a random salt that is not stored. */
export function saltedHash(): SaltedHash {
	const salt = randomBytes(32);
	return (text) => createHmac('sha256', salt).update(text).digest('hex').slice(0, 16);
}

async function* redactedLines(manifest: Manifest, ports: SyncPorts): AsyncGenerator<Buffer> {
	const hash = saltedHash();
	for (const session of manifest.sessions) {
		const { sessionId } = session;
		for await (const { event } of archiveEvents(ports, manifest, session))
			yield exportLine({ event: { ...redactEvent(event, hash), sessionId } });
	}
}
