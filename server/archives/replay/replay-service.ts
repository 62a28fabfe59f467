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
import type { Peeked, RecordingFile } from './recording-files.ts';

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
	/** Those that are built; the page asks again while others are not. */
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
