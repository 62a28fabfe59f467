import type { Log } from '../../process/log.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { proofIn } from '../../timeline/tail/line-event.ts';
import { readManifest } from '../features/archive-sync.ts';
import { createRecordingStore, type RecordingStore } from './recording-store.ts';
import { createReplayService, type ReplayService } from './replay-service.ts';

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
