import type { Row } from '#lib/session/row.ts';
import { rowKeyOf } from '#lib/session/row-key.ts';
import { emptyView, type IndexedEvent } from '#lib/session/view.ts';
import { type Chapter, chapterOf, countUpTo } from '#lib/timeline/chapters.ts';
import { foldEvents, loadingSession, type SessionState } from '../live/session-state.ts';

/** Stepping back folds at most this many events anew. */
export const CHECKPOINT_EVENTS = 2_000;

/** A recorded session with all its events in memory; its state at any place is folded on demand. */
export interface RecordedSession {
	sessionId: string;
	events: readonly IndexedEvent[];
	/** Of each event in ms, never descending: the later of its own time and those before. */
	times: readonly number[];
	/** The story's row of each event. */
	rowKeys: readonly string[];
	chapters: readonly Chapter[];
	/** The state after every so many events, the empty one first. */
	checkpoints: readonly SessionState[];
}

/** A session of which nothing has been read yet. */
export function emptyRecording(sessionId: string): RecordedSession {
	const start: SessionState = { ...loadingSession(sessionId), status: 'ready', view: emptyView(sessionId) };
	return { sessionId, events: [], times: [], rowKeys: [], chapters: [], checkpoints: [start] };
}

/** Adds the next events, which follow those before by seq. The whole is read once, forward, in such pieces. */
export function withEvents(recording: RecordedSession, fresh: readonly IndexedEvent[]): RecordedSession {
	const events = [...recording.events, ...fresh];
	const times = [...recording.times];
	const rowKeys = [...recording.rowKeys];
	const chapters = [...recording.chapters];
	const checkpoints = [...recording.checkpoints];
	let state = stateAt(recording, recording.events.length);
	for (let at = recording.events.length; at < events.length; ) {
		const end = Math.min(events.length, checkpoints.length * CHECKPOINT_EVENTS);
		state = foldEvents(state, events.slice(at, end), (event, before) => {
			times.push(Math.max(times.at(-1) ?? Number.NEGATIVE_INFINITY, Date.parse(event.ts)));
			rowKeys.push(rowKeyOf(before, event));
			const chapter = chapterOf(event, before);
			if (chapter) chapters.push(chapter);
		});
		if (end === checkpoints.length * CHECKPOINT_EVENTS) checkpoints.push(state);
		at = end;
	}
	return { ...recording, events, times, rowKeys, chapters, checkpoints };
}

/** How many events had happened at an instant (ms). */
export function countAt({ times }: RecordedSession, instant: number): number {
	return countUpTo(times, instant);
}

/**
 * The state after the first `count` events. `near` is a state of this recording that is already known, for short
 * steps forward.
 */
export function stateAt(recording: RecordedSession, count: number, near?: SessionState): SessionState {
	const { checkpoints, events } = recording;
	const place = Math.min(checkpoints.length - 1, Math.floor(count / CHECKPOINT_EVENTS));
	const checkpoint = checkpoints[place] ?? loadingSession(recording.sessionId);
	const seqOf = (state: SessionState) => state.view?.seq ?? 0;
	const isNear = near && seqOf(near) <= count && seqOf(near) > seqOf(checkpoint);
	const from = isNear ? near : checkpoint;
	return foldEvents(from, events.slice(seqOf(from), count));
}

/**
 * The rows that the window of `state` no longer holds or does not hold yet, as the checkpoints remember them:
 * `before` and `after` are a row's seq, exclusive; ascending, at most `limit`.
 */
export function rowsOf(
	recording: RecordedSession,
	state: SessionState,
	range: { before?: number; after?: number; limit: number },
): Row[] {
	const { before = Number.POSITIVE_INFINITY, after = 0, limit } = range;
	const seq = state.view?.seq ?? 0;
	const rows = new Map<string, Row>();
	for (const each of [...recording.checkpoints.filter(({ view }) => (view?.seq ?? 0) < seq), state]) {
		for (const row of each.window.rows) if (row.seq > after && row.seq < before) rows.set(row.key, row);
	}
	const ascending = [...rows.values()].sort((a, b) => a.seq - b.seq);
	return range.after === undefined ? ascending.slice(-limit) : ascending.slice(0, limit);
}
