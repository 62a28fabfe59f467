import type {
	ChapterKind,
	ChaptersAround,
	PartAnswer,
	RecordedMoment,
	Recording,
	SessionOutline,
} from '#lib/contract/archives/replay.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import {
	chaptersAround,
	type EventsAsked,
	momentOf,
	partAnswer,
	readRows,
	recordedEvents,
} from '#lib/replay/recording.ts';
import type { Peeked, RecordingFile } from './recording-files.ts';

/** A range of a session's rows as they stood after the event `seq`. */
export interface RowsAsked {
	seq: number;
	before?: number | undefined;
	after?: number | undefined;
	limit: number;
}

/** Archived sessions at any instant. Rejects with `session/not-found`, `archive/damaged`; instants are ms. */
export interface ReplayService {
	/** What is known of all sessions of an archive; begins to read those that nobody has opened yet. */
	recording(id: string): Promise<Recording>;
	/** Where an instant stands among the events of all sessions that have been read. */
	moment(id: string, at: number): Promise<RecordedMoment>;
	chapters(id: string, at: number, kinds: readonly ChapterKind[], limit: number): Promise<ChaptersAround>;
	part(id: string, sessionId: string, place: { at: number } | { seq: number }): Promise<PartAnswer>;
	rows(id: string, sessionId: string, range: RowsAsked): Promise<Row[]>;
	/** Ascending by seq, `after` exclusive. */
	events(id: string, sessionId: string, range: EventsAsked): Promise<IndexedEvent[]>;
}

/** A kept session of an archive. */
export interface StoredRecording {
	sessionId: string;
	/** What is known at once; what is not there yet begins to be read. */
	peek(): Peeked;
	/** What it lacks, or why there is nothing of it, in words for people. */
	lacks?: string | undefined;
}

export interface ReplayServiceOptions {
	/** The kept sessions of an archive; none where there is no such archive. */
	all(id: string): readonly StoredRecording[] | Promise<readonly StoredRecording[]>;
	/** One of them, read first where nobody has. Rejects with `session/not-found`, `archive/damaged`. */
	open(id: string, sessionId: string): Promise<RecordingFile>;
}

/** Builds the service over the recordings of archives, wherever these are kept. */
export function createReplayService({ all, open }: ReplayServiceOptions): ReplayService {
	/** Those that can be read at once; the page asks again while others are still wound. */
	async function wound(id: string): Promise<(RecordingFile & { outline: SessionOutline })[]> {
		return (await all(id)).flatMap(({ peek }) => {
			const recording = peek();
			return 'outline' in recording && recording.outline ? [{ ...recording, outline: recording.outline }] : [];
		});
	}

	return {
		async recording(id) {
			const recording: Recording = { sessions: [], failed: [] };
			const shares: number[] = [];
			for (const { sessionId, peek, lacks } of await all(id)) {
				const found = peek();
				shares.push('done' in found ? found.done : 1);
				if (lacks !== undefined) recording.failed.push({ sessionId, reason: lacks });
				else if ('failed' in found) recording.failed.push({ sessionId, reason: reasonOf(found.failed) });
				if ('outline' in found && found.outline) recording.sessions.push(found.outline);
			}
			const done = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
			return done < 1 ? { ...recording, reading: done } : recording;
		},

		moment: async (id, at) => momentOf(await wound(id), at),
		chapters: async (id, at, kinds, limit) => chaptersAround(await wound(id), at, kinds, limit),

		async part(id, sessionId, asked) {
			const recording = await open(id, sessionId);
			if (!recording.outline) throw new AppError('session/not-found');
			return partAnswer(recording, asked);
		},

		async rows(id, sessionId, { seq, ...range }) {
			const recording = await open(id, sessionId);
			return recording.outline ? readRows(recording, Math.min(seq, recording.events), range) : [];
		},

		events: async (id, sessionId, range) => recordedEvents(await open(id, sessionId), range),
	};
}

const reasonOf = (error: unknown) =>
	error instanceof AppError ? error.message : 'This recording cannot be read; the log of the server says why.';
