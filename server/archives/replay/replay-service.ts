import { join } from 'node:path';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import type { ChapterKind, Recording, SessionOutline } from '#lib/contract/archives/replay.ts';
import { AppError } from '#lib/contract/errors.ts';
import { inWords, type Words } from '#lib/messages/sentence.ts';
import {
	chaptersAround,
	type EventsRequest,
	momentOf,
	partAnswer,
	readRows,
	recordedEvents,
} from '#lib/replay/recording.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { proofIn } from '../../timeline/tail/timeline-file.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents } from '../features/archived-events.ts';
import { createRecordingFiles, type Peeked, type RecordingFile, type RecordingSource } from './recording-files.ts';

/** A kept session of an archive. */
export interface StoredRecording {
	sessionId: string;
	/** The part known at once; starts to build a missing one. */
	peek(): Peeked;
	/** Missing parts, in words for people. */
	lacks?: Words | undefined;
}

interface ReplayServiceOptions {
	/** The archived sessions. */
	all(id: string): readonly StoredRecording[] | Promise<readonly StoredRecording[]>;
	/** One of them, built first if missing. Rejects with `session/not-found` or `archive/damaged`. */
	open(id: string, sessionId: string): Promise<RecordingFile>;
}

export type ReplayService = ReturnType<typeof createReplayService>;

/** Archived sessions at any instant (ms). Rejects with `session/not-found` or `archive/damaged`. */
export function createReplayService({ all, open }: ReplayServiceOptions) {
	/** The sessions that are built; the page asks again while some are not. */
	async function builtOf(id: string): Promise<(RecordingFile & { outline: SessionOutline })[]> {
		return (await all(id)).flatMap(({ peek }) => {
			const recording = peek();
			return 'outline' in recording && recording.outline ? [{ ...recording, outline: recording.outline }] : [];
		});
	}

	return {
		/** What is known about all sessions of an archive; starts to build those not opened yet. */
		async recording(id: string): Promise<Recording> {
			const recording: Recording = { sessions: [], failed: [] };
			const shares: number[] = [];
			for (const { sessionId, peek, lacks } of await all(id)) {
				const found = peek();
				shares.push('done' in found ? found.done : 1);
				if (lacks !== undefined) recording.failed.push({ sessionId, ...inWords({ reason: lacks }) });
				else if ('failed' in found) recording.failed.push({ sessionId, reason: reasonOf(found.failed) });
				if ('outline' in found && found.outline) recording.sessions.push(found.outline);
			}
			const done = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
			return done < 1 ? { ...recording, reading: done } : recording;
		},

		/** Where an instant is among the events of all built sessions. */
		moment: async (id: string, at: number) => momentOf(await builtOf(id), at),
		chapters: async (id: string, at: number, kinds: readonly ChapterKind[], limit: number) =>
			chaptersAround(await builtOf(id), at, kinds, limit),

		async part(id: string, sessionId: string, request: { at: number } | { seq: number }) {
			const recording = await open(id, sessionId);
			if (!recording.outline) throw new AppError('session/not-found');
			return partAnswer(recording, request);
		},

		/** A session's rows as they were after the event `seq`. */
		async rows(
			id: string,
			sessionId: string,
			{ seq, ...range }: { seq: number; before?: number | undefined; after?: number | undefined; limit: number },
		) {
			const recording = await open(id, sessionId);
			return recording.outline ? readRows(recording, Math.min(seq, recording.events), range) : [];
		},

		events: async (id: string, sessionId: string, range: EventsRequest) =>
			recordedEvents(await open(id, sessionId), range),
	};
}

const reasonOf = (error: unknown) =>
	error instanceof AppError ? error.message : 'This recording cannot be read; the log of the server says why.';

/** Holds a folder for each archive, by its id. */
export const recordingsFolder = (home: string) => join(home, 'reels');

type RecordingStore = ReturnType<typeof createRecordingStore>;

/** The recordings of a home's archived sessions, stored beside the index. All can be built again. */
export function createRecordingStore(options: { ports: SyncPorts; log: Log; maxBytes?: number }) {
	const { ports, log, maxBytes } = options;
	const recordingFiles = createRecordingFiles(recordingsFolder(ports.home), maxBytes);

	function sourceOf(id: string, sessionId: string): RecordingSource {
		const manifest = readManifest(ports.home, id);
		const session = manifest?.sessions.find((kept) => kept.sessionId === sessionId);
		if (!manifest || !session) throw new AppError('session/not-found');
		const folder = archivePath(ports.home, id);
		// Also changes when a kept file is damaged.
		const stamp = session.timelines.map(({ file, sha256 }) => [sha256, fileStamp(join(folder, file))]).join();
		return {
			place: [id, sessionId],
			sessionId,
			stamp,
			async read(add, report) {
				const bytes = session.timelines.reduce((sum, timeline) => sum + timeline.bytes, 0);
				let read = 0;
				for await (const { event, from, to } of archiveEvents(ports, { ...manifest, id }, session, 'as-far')) {
					add(event);
					read += to - from;
					report(Math.min(1, read / bytes));
				}
			},
		};
	}

	/** Builds it first if it is missing. Rejects with `session/not-found` or `archive/damaged`. */
	const open = async (id: string, sessionId: string) => recordingFiles.open(sourceOf(id, sessionId));
	return {
		open,
		/** The part known at once; starts to build a missing one. */
		peek: (id: string, sessionId: string) => recordingFiles.peek(sourceOf(id, sessionId)),
		/** Builds those of all ended sessions of an archive, one after another; a failure is logged. */
		async prepare(id: string): Promise<void> {
			for (const { sessionId, ended } of readManifest(ports.home, id)?.sessions ?? []) {
				if (!ended) continue;
				try {
					await open(id, sessionId);
				} catch (error) {
					log.error('A recording could not be prepared; it is tried again when it is opened', error, { archive: id });
				}
			}
		},
		close: recordingFiles.close,
	};
}

/** The recordings of a home, and the service that reads them. */
export function createReplay(options: { home: string; journal: Pick<JournalStore, 'find'>; log: Log }) {
	const { home, journal, log } = options;
	const recordings = createRecordingStore({ ports: { home, proofOf: proofIn(journal) }, log });
	return { service: replayOf(home, recordings), recordings };
}

/** The replay service over the archives of a home. */
export function replayOf(home: string, { open, peek }: Pick<RecordingStore, 'open' | 'peek'>): ReplayService {
	return createReplayService({
		all: (id) =>
			(readManifest(home, id)?.sessions ?? []).map(({ sessionId }) => ({ sessionId, peek: () => peek(id, sessionId) })),
		open,
	});
}
