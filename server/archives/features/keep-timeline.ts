import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ByteRange, ManifestTimeline } from '#lib/contract/archives/features.ts';
import { lookAtTimeline, READ_FLAGS, timelinePath } from '../../timeline/tail/timeline-file.ts';

/** So much of a timeline has a digest of its own. */
const RANGE_BYTES = 1024 * 1024;

/** Where a timeline is and where it is kept. */
export interface KeepJob {
	sessionsFolder: string;
	/** The archive's folder, absolute. */
	folder: string;
	sessionId: string;
}

/**
 * Copies a session's timeline, compressed, beside what was kept of it before; may be repeated at any time. A file that
 * has only grown replaces its older copy; one that was rewritten is kept as a further one, so that nothing kept is ever
 * lost. Gives what is kept afterwards. Rejects when the disk refuses.
 */
export async function keepTimeline(job: KeepJob, kept: readonly ManifestTimeline[]): Promise<ManifestTimeline[]> {
	const { sessionsFolder, folder, sessionId } = job;
	const stats = lookAtTimeline(sessionsFolder, sessionId);
	const last = kept.at(-1);
	if (typeof stats === 'string' || (stats.size === 0 && !last)) return [...kept];
	const source = await open(timelinePath(sessionsFolder, sessionId), READ_FLAGS);
	const half = join(folder, `.${sessionId}.half`);
	try {
		const { size } = await source.stat();
		if (last && size === last.bytes && (await isSameEnd(source, last))) return [...kept];
		const copied = await copy(source, size, half, last?.bytes);
		const grown = last === undefined || copied.before === last.sha256;
		const file = last && grown ? last.file : nameOf(sessionId, kept.length);
		await rename(half, join(folder, file));
		const { bytes, sha256, ranges } = copied;
		return [...(grown ? kept.slice(0, -1) : kept), { file, bytes, sha256, ranges }];
	} finally {
		await source.close();
		await rm(half, { force: true });
	}
}

function nameOf(sessionId: string, nth: number): string {
	return nth === 0 ? `${sessionId}.jsonl.gz` : `${sessionId}.${nth + 1}.jsonl.gz`;
}

/** Enough to know a file that nobody touched; a copy of everything would be made at each start otherwise. */
async function isSameEnd(source: FileHandle, last: ManifestTimeline): Promise<boolean> {
	const range = last.ranges.at(-1);
	if (!range) return true;
	const bytes = await readAt(source, range.from, range.to - range.from);
	return createHash('sha256').update(bytes).digest('hex') === range.sha256;
}

async function copy(source: FileHandle, size: number, target: string, mark: number | undefined) {
	const total = createHash('sha256');
	const ranges: ByteRange[] = [];
	let before: string | undefined;
	async function* chunks() {
		for (let from = 0; from < size; ) {
			const bytes = await readAt(source, from, Math.min(RANGE_BYTES, size - from));
			if (bytes.length === 0) return;
			const to = from + bytes.length;
			if (mark !== undefined && mark > from && mark <= to) {
				before = total
					.copy()
					.update(bytes.subarray(0, mark - from))
					.digest('hex');
			}
			total.update(bytes);
			ranges.push({ from, to, sha256: createHash('sha256').update(bytes).digest('hex') });
			from = to;
			yield bytes;
		}
	}
	const out = createWriteStream(target, { mode: 0o600 });
	await pipeline(Readable.from(chunks()), createGzip(), out);
	const written = await open(target);
	await written.sync().finally(() => written.close());
	return { bytes: ranges.at(-1)?.to ?? 0, sha256: total.digest('hex'), ranges, before };
}

/** Up to `length` bytes; fewer only at the end of the file. */
async function readAt(source: FileHandle, from: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await source.read(buffer, filled, length - filled, from + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return buffer.subarray(0, filled);
}
