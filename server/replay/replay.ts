import type { Log } from '../log.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { proofIn } from '../tail/journal-proof.ts';
import { createReels, type Reels } from './reels.ts';
import { createReplayDesk, type ReplayDesk } from './replay-desk.ts';

interface ReplayOptions {
	/** The state root, absolute. */
	home: string;
	journal: Pick<JournalStore, 'find'>;
	log: Log;
}

/** Everything that the server does about recordings: the desk that reads them, the reels that it reads them from. */
export function createReplay({ home, journal, log }: ReplayOptions): { desk: ReplayDesk; reels: Reels } {
	const reels = createReels({ world: { home, proofOf: proofIn(journal) }, log });
	return { desk: createReplayDesk({ home, reels }), reels };
}
