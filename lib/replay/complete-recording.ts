import type {
	Chapter,
	ChapterKind,
	ChaptersAround,
	PartAnswer,
	RecordedMoment,
	SessionOutline,
} from '../contract/archives/replay.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { eventsOfRow, instantOf, seqAt } from './fold-part.ts';
import { bornIn, partOf, type Recording, readEvents, readRows } from './read-recording.ts';

/** Rows that a page shows at first. */
const FIRST_ROWS = 200;

/** A recording that is whole, wherever it is kept. */
export interface CompleteRecording extends Recording {
	/** Null where the session had no event. */
	outline: SessionOutline | null;
	/** How many events had happened at an instant (ms) lies in the part of this number. */
	partAt(instant: number): number;
	/** When the first event of a part happened, ms; null where there is no such part. */
	startOf(place: number): number | null;
	/** All parts, and those with events of rows that began in part `born`, ascending. */
	places(): number[];
	placesOf(born: number): number[];
	/** Up to `limit` chapters of these kinds on one side of an instant (ms), ascending; those of it lie before it. */
	chapters(kinds: readonly ChapterKind[], at: number, side: 'before' | 'after', limit: number): Chapter[];
}

/** Events after a seq; of one row those from `begun`, the seq of its first event. */
export interface EventsAsked {
	after: number;
	limit: number;
	row?: string | undefined;
	begun?: number | undefined;
}

/** Where an instant (ms) stands among the events of several sessions. */
export function momentOf(recordings: readonly CompleteRecording[], at: number): RecordedMoment {
	const all = recordings.map((recording) => momentIn(recording, at));
	const previous = all.flatMap((one) => one.previous ?? []);
	const next = all.flatMap((one) => one.next ?? []);
	return {
		happened: all.reduce((sum, one) => sum + one.happened, 0),
		previous: previous.length > 0 ? Math.max(...previous) : null,
		next: next.length > 0 ? Math.min(...next) : null,
	};
}

/** The chapters of several sessions on both sides of an instant (ms), at most `limit` on each. */
export function chaptersAround(
	recordings: readonly CompleteRecording[],
	at: number,
	kinds: readonly ChapterKind[],
	limit: number,
): ChaptersAround {
	const on = (side: 'before' | 'after') =>
		recordings
			.flatMap((recording) => recording.chapters(kinds, at, side, limit))
			.sort((one, other) => one.at - other.at);
	return { before: on('before').slice(-limit), after: on('after').slice(0, limit) };
}

/** The part in which an instant (ms) or a seq lies, with the newest rows before it. */
export function partAnswer(recording: CompleteRecording, asked: { at: number } | { seq: number }): PartAnswer {
	const place = 'at' in asked ? recording.partAt(asked.at) : partOf(recording, asked.seq);
	const part = recording.part(place);
	return {
		...part,
		rows: readRows(recording, part.after, { limit: FIRST_ROWS }),
		nextAt: recording.startOf(place + 1),
	};
}

/** Events after a seq, ascending; with `row` only those of one row. */
export function recordedEvents(
	recording: CompleteRecording,
	{ after, limit, row, begun }: EventsAsked,
): IndexedEvent[] {
	if (row === undefined) return readEvents(recording, after, limit);
	const places = begun === undefined ? recording.places() : recording.placesOf(bornIn(begun));
	return places
		.flatMap((place) => eventsOfRow(recording.part(place), row))
		.filter(({ seq }) => seq > after)
		.slice(0, limit);
}

function momentIn(recording: CompleteRecording, at: number): RecordedMoment {
	const until = (instant: number) => {
		const part = recording.part(recording.partAt(instant));
		return { part, seq: seqAt(part, instant) };
	};
	const now = until(at);
	const before = until(at - 1);
	return {
		happened: now.seq,
		previous: before.seq === 0 ? null : timeIn(before.part, before.seq),
		next: now.seq === recording.events ? null : timeIn(now.part, now.seq + 1),
	};
}

/** When a part's event `seq` happened, or the one ahead of the part. */
function timeIn({ after, startAt, events }: Pick<PartAnswer, 'after' | 'startAt' | 'events'>, seq: number) {
	let at = startAt;
	for (const event of events.slice(0, seq - after)) at = instantOf(event, at);
	return at;
}
