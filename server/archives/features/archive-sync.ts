import { createHash } from 'node:crypto';
import { createWriteStream, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { sessionFolder } from '#hooks-bridge/disk/overtone-home.ts';
import { exists } from '#hooks-bridge/disk/process-identity.ts';
import { readState, writeState } from '#hooks-bridge/disk/write-files.ts';
import { archivePath, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { writeManifest } from '#hooks-bridge/features/archive-feature.ts';
import {
	type ByteRange,
	FeatureOutcome,
	Manifest,
	type ManifestSession,
	type ManifestTimeline,
} from '#lib/contract/archives/features.ts';
import { countOutcome, featureRole } from '#lib/features/outcome.ts';
import { type LineContext, READ_FLAGS, statTimeline, timelinePath } from '../../timeline/tail/timeline-file.ts';
import { type ArchivedEvent, archiveEvents } from './archived-events.ts';
import { copyFiles } from './archived-files.ts';

export interface SyncPorts {
	home: string;
	proofOf: LineContext['proofOf'];
}

/** The manifest of an archive in the state root; null if it is missing or unreadable. */
export function readManifest(home: string, id: string): Manifest | null {
	return Manifest.safeParse(readState(join(archivePath(home, id), 'manifest.json'))).data ?? null;
}

/** The last outcome computed for an archive; null if there is none. */
export function readOutcome(home: string, id: string): FeatureOutcome | null {
	return FeatureOutcome.safeParse(readState(join(archivePath(home, id), 'outcome.json'))).data ?? null;
}

/**
 * Copies what is new of an archive's sessions, and recomputes the feature's outcome if that changed anything. Repeatable; one
 * process does one at a time. Null if there is no such archive.
 */
export async function syncArchive(id: string, ports: SyncPorts): Promise<Manifest | null> {
	const origin = readOrigin(ports.home, id);
	const before = readManifest(ports.home, id);
	if (!origin || !before) return null;
	// Records of another machine are final.
	if (origin.imported) return before;
	const folder = archivePath(ports.home, id);
	removeDrafts(folder);
	const sessions: ManifestSession[] = [];
	for (const session of withSessions(before.sessions, origin.sessions)) {
		const job = { sessionsFolder: join(ports.home, 'sessions'), folder, sessionId: session.sessionId };
		const timelines = await copyTimeline(job, session.timelines);
		const files = await copyFiles(
			sessionFolder(ports.home, session.sessionId),
			folder,
			session.sessionId,
			session.files,
		);
		sessions.push({ ...session, timelines, files });
	}
	const changed = !isDeepStrictEqual(sessions, before.sessions);
	// Counts of an older version lack the idle time.
	if (!changed && readOutcome(ports.home, id)?.idleMs !== undefined) return before;
	const counted = await count({ ...before, sessions }, ports);
	const complete = counted.sessions.every(({ ended }) => ended);
	const manifest = { ...before, sessions: counted.sessions, complete };
	// The manifest last: after a crash before it, the archive counts as changed.
	writeState(join(folder, 'outcome.json'), counted.outcome);
	writeManifest(ports.home, id, origin, manifest);
	return manifest;
}

function withSessions(known: readonly ManifestSession[], more: readonly string[]): ManifestSession[] {
	const ids = new Set(known.map(({ sessionId }) => sessionId));
	const added = [...new Set(more)].filter((sessionId) => !ids.has(sessionId));
	return [...known, ...added.map((sessionId) => ({ sessionId, ended: false, timelines: [], files: [] }))];
}

/** Folds everything archived: the numbers, the feature's part of each timeline, and whether the session has ended. */
async function count(manifest: Manifest, ports: SyncPorts) {
	const outcome = countOutcome(manifest.feature);
	const sessions: ManifestSession[] = [];
	for (const session of manifest.sessions) {
		const { sessionId } = session;
		const folded = outcome.session(sessionId);
		const part = partOf(manifest.feature);
		for await (const kept of archiveEvents(ports, manifest, session)) {
			folded.add(kept.event);
			part.add(kept);
		}
		const view = folded.view();
		// A session that left no timeline is complete.
		const ended = session.timelines.length === 0 || view.ended !== undefined || view.lost !== undefined;
		sessions.push({ ...session, ended, ...part.found() });
	}
	return { sessions, outcome: outcome.total() };
}

/** What processes left that were killed while they copied. */
function removeDrafts(folder: string): void {
	for (const name of readdirSync(folder)) {
		const pid = /^\..*\.(\d+)\.half$/.exec(name)?.[1];
		if (pid && !exists(Number(pid))) rmSync(join(folder, name), { force: true });
	}
}

/** The bytes from the line that binds the session to the feature up to the one that archives it. */
function partOf(feature: string) {
	let from: number | undefined;
	let to = 0;
	let closed = false;
	return {
		add({ event, ...line }: ArchivedEvent): void {
			const role = featureRole(event, feature);
			if (role === 'binds') from ??= line.from;
			if (!closed) to = line.to;
			closed ||= role === 'archives';
		},
		found: () => (from === undefined ? {} : { part: { from, to } }),
	};
}

/** Size of the ranges that have a digest. */
const RANGE_BYTES = 1024 * 1024;

interface CopyJob {
	sessionsFolder: string;
	/** The archive's folder, absolute. */
	folder: string;
	sessionId: string;
}

/** Compresses a session's timeline into the archive; may be repeated. A rewritten file is kept beside the older copy. */
async function copyTimeline(job: CopyJob, kept: readonly ManifestTimeline[]): Promise<ManifestTimeline[]> {
	const { sessionsFolder, folder, sessionId } = job;
	const stats = statTimeline(sessionsFolder, sessionId);
	const last = kept.at(-1);
	if (typeof stats === 'string' || (stats.size === 0 && !last)) return [...kept];
	const source = await open(timelinePath(sessionsFolder, sessionId), READ_FLAGS);
	// The command that archives and the server, which sees its event, copy at the same time.
	const half = join(folder, `.${sessionId}.${process.pid}.half`);
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

/** Enough to recognise an untouched file; otherwise each start would copy everything. */
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
