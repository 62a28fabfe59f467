import { join } from 'node:path';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { AppError } from '#lib/contract/errors.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { proofIn } from '../../timeline/tail/line-event.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents } from '../features/kept-events.ts';
import { createRecordingFiles, type Peeked, type RecordingFile, type RecordingSource } from './recording-files.ts';
import { createReplayService, type ReplayService } from './replay-service.ts';

export interface RecordingsOptions {
	world: SyncPorts;
	log: Log;
	/** Bytes; tests take less. */
	maxBytes?: number;
}

/** The recordings of archived sessions: derived from the archives, kept beside the index, and made again where they are gone. */
export interface RecordingStore {
	/** The recording of a kept session, wound first where there is none. Rejects with `session/not-found`, `archive/damaged`. */
	open(id: string, sessionId: string): Promise<RecordingFile>;
	/** What is known at once; undefined while it is wound, which this begins. */
	peek(id: string, sessionId: string): Peeked;
	/** Winds all sessions of an archive that have ended, one after another; a failure is logged. */
	prepare(id: string): Promise<void>;
	/** Lets go of all files. */
	close(): void;
}

/** Where they lie: in a folder for each archive, by its id. */
export const recordingsFolder = (home: string) => join(home, 'reels');

/** Opens the recordings of a home; nothing is read before one is asked for. */
export function createRecordingStore({ world, log, maxBytes }: RecordingsOptions): RecordingStore {
	const recordingFiles = createRecordingFiles(recordingsFolder(world.home), maxBytes);

	function sourceOf(id: string, sessionId: string): RecordingSource {
		const manifest = readManifest(world.home, id);
		const session = manifest?.sessions.find((kept) => kept.sessionId === sessionId);
		if (!manifest || !session) throw new AppError('session/not-found');
		const folder = archivePath(world.home, id);
		// A file that was changed or broken since is not what the recording was wound from.
		const stamp = session.timelines.map(({ file, sha256 }) => [sha256, fileStamp(join(folder, file))]).join();
		return {
			...{ place: [id, sessionId], sessionId, stamp },
			async read(add, tell) {
				const bytes = session.timelines.reduce((sum, timeline) => sum + timeline.bytes, 0);
				let read = 0;
				for await (const { event, from, to } of archiveEvents(world, { ...manifest, id }, session, 'as-far')) {
					add(event);
					read += to - from;
					tell(Math.min(1, read / bytes));
				}
			},
		};
	}

	const open = async (id: string, sessionId: string) => recordingFiles.open(sourceOf(id, sessionId));
	return {
		open,
		peek: (id, sessionId) => recordingFiles.peek(sourceOf(id, sessionId)),
		async prepare(id) {
			for (const { sessionId, ended } of readManifest(world.home, id)?.sessions ?? []) {
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

interface ReplayOptions {
	/** The state root, absolute. */
	home: string;
	journal: Pick<JournalStore, 'find'>;
	log: Log;
}

/** Everything that the server does about recordings: the service that reads them, the recordings that it reads them from. */
export function createReplay({ home, journal, log }: ReplayOptions): {
	service: ReplayService;
	recordings: RecordingStore;
} {
	const recordings = createRecordingStore({ world: { home, proofOf: proofIn(journal) }, log });
	return { service: replayOf(home, recordings), recordings };
}

/** The service over the archives of a home. */
export function replayOf(home: string, recordings: RecordingStore): ReplayService {
	return createReplayService({
		all: (id) =>
			(readManifest(home, id)?.sessions ?? []).map(({ sessionId }) => ({
				sessionId,
				peek: () => recordings.peek(id, sessionId),
			})),
		open: recordings.open,
	});
}
