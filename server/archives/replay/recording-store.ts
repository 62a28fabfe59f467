import { join } from 'node:path';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { AppError } from '#lib/contract/errors.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { proofIn } from '../../timeline/tail/timeline-file.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents } from '../features/archived-events.ts';
import { createRecordingFiles, type RecordingSource } from './recording-files.ts';
import { createReplayService, type ReplayService } from './replay-service.ts';

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
			...{ place: [id, sessionId], sessionId, stamp },
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
