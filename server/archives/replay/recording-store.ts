import { join } from 'node:path';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { AppError } from '#lib/contract/errors.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents } from '../features/kept-events.ts';
import type { RecordingFile } from './recording-file.ts';
import { createRecordingFiles, type Peeked, type RecordingSource } from './recording-files.ts';

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
