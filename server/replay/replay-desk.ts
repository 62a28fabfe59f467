import { AppError } from '#lib/contract/errors.ts';
import type {
	ChapterKind,
	ChaptersAround,
	PartAnswer,
	RecordedMoment,
	Recording,
	SessionOutline,
} from '#lib/contract/replay.ts';
import { readRows } from '#lib/replay/read-reel.ts';
import { chaptersAround, type EventsAsked, momentOf, partAnswer, recordedEvents } from '#lib/replay/wound-reel.ts';
import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { readManifest } from '../features/archive-sync.ts';
import type { ReelFile } from './reel-file.ts';
import type { Reels } from './reels.ts';

/** A range of a session's rows as they stood after the event `seq`. */
export interface RowsAsked {
	seq: number;
	before?: number | undefined;
	after?: number | undefined;
	limit: number;
}

/** Archived sessions at any instant. Rejects with `session/not-found`, `archive/damaged`; instants are ms. */
export interface ReplayDesk {
	/** What is known of all sessions of an archive; begins to read those that nobody has opened yet. */
	recording(id: string): Recording;
	/** Where an instant stands among the events of all sessions that have been read. */
	moment(id: string, at: number): Promise<RecordedMoment>;
	chapters(id: string, at: number, kinds: readonly ChapterKind[], limit: number): Promise<ChaptersAround>;
	part(id: string, sessionId: string, place: { at: number } | { seq: number }): Promise<PartAnswer>;
	rows(id: string, sessionId: string, range: RowsAsked): Promise<Row[]>;
	/** Ascending by seq, `after` exclusive. */
	events(id: string, sessionId: string, range: EventsAsked): Promise<IndexedEvent[]>;
}

/** Builds the desk over the reels of a home. */
export function createReplayDesk({ home, reels }: { home: string; reels: Reels }): ReplayDesk {
	const sessionsOf = (id: string) => readManifest(home, id)?.sessions.map(({ sessionId }) => sessionId) ?? [];

	/** Those that can be read at once; the page asks again while others are still wound. */
	function wound(id: string): (ReelFile & { outline: SessionOutline })[] {
		return sessionsOf(id).flatMap((sessionId) => {
			const reel = reels.peek(id, sessionId);
			return 'outline' in reel && reel.outline ? [{ ...reel, outline: reel.outline }] : [];
		});
	}

	return {
		recording(id) {
			const recording: Recording = { sessions: [], failed: [] };
			const shares: number[] = [];
			for (const sessionId of sessionsOf(id)) {
				const found = reels.peek(id, sessionId);
				shares.push('done' in found ? found.done : 1);
				if ('failed' in found) recording.failed.push({ sessionId, reason: reasonOf(found.failed) });
				if ('outline' in found && found.outline) recording.sessions.push(found.outline);
			}
			const done = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
			return done < 1 ? { ...recording, reading: done } : recording;
		},

		moment: async (id, at) => momentOf(wound(id), at),
		chapters: async (id, at, kinds, limit) => chaptersAround(wound(id), at, kinds, limit),

		async part(id, sessionId, asked) {
			const reel = await reels.open(id, sessionId);
			if (!reel.outline) throw new AppError('session/not-found');
			return partAnswer(reel, asked);
		},

		async rows(id, sessionId, { seq, ...range }) {
			const reel = await reels.open(id, sessionId);
			return reel.outline ? readRows(reel, Math.min(seq, reel.events), range) : [];
		},

		events: async (id, sessionId, range) => recordedEvents(await reels.open(id, sessionId), range),
	};
}

const reasonOf = (error: unknown) =>
	error instanceof AppError ? error.message : 'This recording cannot be read; the log of the server says why.';
