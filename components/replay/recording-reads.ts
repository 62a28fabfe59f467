import type { ChapterKind, Recording } from '#lib/contract/archives/replay.ts';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import { notesIn } from '#lib/replay/notes-in.ts';
import {
	type CompleteRecording,
	chaptersAround,
	type EventsRequest,
	momentOf,
	partAnswer,
	readRows,
	recordedEvents,
} from '#lib/replay/recording.ts';
import { type Answer, callRoute, type RouteAnswer } from '../live/call-route.ts';

type FeatureRoute<Name extends string> = `GET /api/features/:id/${Name}`;
type Moment = FeatureRoute<'recording/moment'>;
type Chapters = FeatureRoute<'recording/chapters'>;
type PartOf = FeatureRoute<'sessions/:sessionId/part'>;
type Rows = FeatureRoute<'sessions/:sessionId/rows'>;
type Events = FeatureRoute<'sessions/:sessionId/events'>;
type Position = { at: number } | { seq: number };
type RowsRequest = { seq: number; before?: number; after?: number; limit: number };

/** Where a replay page reads its recording from. The object stays the same for the same recording. Times in ms. */
export interface RecordingReads {
	recording: () => Promise<Answer<Recording>>;
	moment: (at: number) => Promise<RouteAnswer<Moment>>;
	chapters: (at: number, kinds: readonly ChapterKind[], limit: number) => Promise<RouteAnswer<Chapters>>;
	part: (sessionId: string, position: Position) => Promise<RouteAnswer<PartOf>>;
	rows: (sessionId: string, range: RowsRequest) => Promise<RouteAnswer<Rows>>;
	events: (sessionId: string, range: EventsRequest) => Promise<RouteAnswer<Events>>;
	blob: (sessionId: string, sha: string) => Promise<Answer<string>>;
	handoff: (sessionId: string, name: string) => Promise<Answer<string>>;
	/** Only for recordings without a server; otherwise notes come from the server. */
	notes?: (sessionId: string) => Promise<Answer<{ notes: Note[] }>>;
}

export function servedRecording(id: string): RecordingReads {
	return {
		recording: () => callRoute('GET /api/features/:id/recording', { params: { id } }),
		moment: (at) => callRoute('GET /api/features/:id/recording/moment', { params: { id }, query: { at } }),
		chapters: (at, kinds, limit) => {
			const query = { at, kinds: kinds.join(), limit };
			return callRoute('GET /api/features/:id/recording/chapters', { params: { id }, query });
		},
		part: (sessionId, query) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/part', { params: { id, sessionId }, query }),
		rows: (sessionId, query) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/rows', { params: { id, sessionId }, query }),
		events: (sessionId, query) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/events', { params: { id, sessionId }, query }),
		blob: (sessionId, sha) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', { params: { id, sessionId, sha } }),
		handoff: (sessionId, name) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', { params: { id, sessionId, name } }),
	};
}

/** Reading from a file loads only the timelines. */
const NOT_KEPT = 'This is not kept in memory. `signalbox archive import` takes the whole file.';

/** Reads from recordings in memory, for a file that was opened without a server. */
export function keptRecording(all: readonly CompleteRecording[]): RecordingReads {
	const recordings = all.filter(({ outline }) => outline !== null);
	const answer = <Data>(data: Data) => ({ ok: true, data }) as const;
	const refused = { ok: false, status: 404, code: 'session/not-found', message: NOT_KEPT } as const;
	const recordingOf = (sessionId: string) => recordings.find(({ outline }) => outline?.sessionId === sessionId);
	return {
		recording: async () => answer({ sessions: recordings.flatMap(({ outline }) => outline ?? []), failed: [] }),
		moment: async (at) => answer(momentOf(recordings, at)),
		chapters: async (at, kinds, limit) => answer(chaptersAround(recordings, at, kinds, limit)),
		part: async (sessionId, position) => {
			const recording = recordingOf(sessionId);
			return recording ? answer(partAnswer(recording, position)) : refused;
		},
		rows: async (sessionId, { seq, ...range }) => {
			const recording = recordingOf(sessionId);
			return answer({ rows: recording ? readRows(recording, Math.min(seq, recording.events), range) : [] });
		},
		events: async (sessionId, range) => {
			const recording = recordingOf(sessionId);
			return answer({ events: recording ? recordedEvents(recording, range) : [] });
		},
		blob: async () => refused,
		handoff: async () => refused,
		notes: async (sessionId) => {
			const recording = recordingOf(sessionId);
			return answer({ notes: recording ? notesIn(recording) : [] });
		},
	};
}
