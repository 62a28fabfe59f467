import type {
	Chapter,
	ChapterKind,
	ChaptersAround,
	Part,
	PartAnswer,
	RecordedMoment,
	SessionOutline,
} from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { fold, rowKeyOf } from '../session/fold.ts';

/** Number of events in one part: the most that stepping back folds again, and the most that a page requests at once. */
export const PART_EVENTS = 500;

/** A recorded session after some of a part's events. */
export interface PartState {
	view: SessionView;
	/** The rows that those events changed, by key, in the order of the first change. */
	changed: ReadonlyMap<string, Row>;
}

/** The state before a part's first event. */
export const startOf = ({ view }: Part): PartState => ({ view, changed: new Map() });

/**
 * The state after the event `seq` of the part: equal to a fold of all events from the session's first one. `near` is a known
 * state of this part, for short steps forward.
 */
export function foldPart(
	part: Part,
	seq: number,
	near: PartState = startOf(part),
	/** Called for each folded event, with the view before it. */
	onEvent?: (event: IndexedEvent, before: SessionView) => void,
): PartState {
	const from = near.view.seq <= seq ? near : startOf(part);
	if (from.view.seq === seq) return from;
	const changed = new Map(from.changed);
	const recalled = new Map(part.recalled.map((row) => [row.key, row]));
	const rowOf = (key: string) => changed.get(key) ?? recalled.get(key);
	let { view } = from;
	for (const event of part.events.slice(view.seq - part.after, seq - part.after)) {
		onEvent?.(event, view);
		const step = fold(view, event, rowOf);
		view = step.view;
		for (const row of step.rows) changed.set(row.key, row);
	}
	return { view, changed };
}

/** The time of an event in a recording (ms), `before` being that of the previous event: time never runs backwards in it. */
export function instantOf({ ts }: Pick<IndexedEvent, 'ts'>, before: number | null): number {
	const own = Date.parse(ts);
	return before === null ? own : Math.max(own, before);
}

/** The seq of a part's last event that had happened at an instant (ms); that of the event before the part if none had. */
export function seqAt({ after, startAt, events }: Part, instant: number): number {
	let at = startAt;
	for (const event of events) {
		at = instantOf(event, at);
		if (at > instant) return event.seq - 1;
	}
	return after + events.length;
}

/** The events of a part that belong to a row of the story. */
export function eventsOfRow(part: Part, row: string): IndexedEvent[] {
	const found: IndexedEvent[] = [];
	foldPart(part, part.after + part.events.length, startOf(part), (event, before) => {
		if (rowKeyOf(before, event) === row) found.push(event);
	});
	return found;
}

/** A recording, from which any part can be read by its number, from 0. */
export interface Recording {
	/** The seq of its last event; parts follow each other without gaps. */
	events: number;
	part(index: number): Part;
	/** Rows that began in part `born`, as they were after each part up to `last` that changed some, ascending. */
	rowsBorn(born: number, last: number): Iterable<readonly Row[]>;
}

/** The part from which the state after the event `seq` is folded. */
export function partOf({ events }: Pick<Recording, 'events'>, seq: number): number {
	return Math.min(Math.max(0, Math.ceil(events / PART_EVENTS) - 1), Math.floor(Math.max(0, seq) / PART_EVENTS));
}

/** The part that contains the event `seq`, counted from 1. */
export const bornIn = (seq: number) => Math.floor((seq - 1) / PART_EVENTS);

/** Rows after the event `seq`, ascending: by default the newest `limit`; `before` and `after` are a row's seq, exclusive. */
export function readRows(
	recording: Recording,
	seq: number,
	range: { before?: number | undefined; after?: number | undefined; limit: number },
): Row[] {
	const { after = 0, limit } = range;
	const before = Math.min(range.before ?? Number.POSITIVE_INFINITY, seq + 1);
	const index = partOf(recording, seq);
	const { changed } = foldPart(recording.part(index), seq);
	const [first, last] = [bornIn(after + 1), bornIn(before - 1)];
	const found: Row[][] = [];
	let count = 0;
	const isUpward = range.after !== undefined;
	for (let born = isUpward ? first : last; born >= first && born <= last && count < limit; born += isUpward ? 1 : -1) {
		const rows = new Map<string, Row>();
		for (const each of recording.rowsBorn(born, index - 1)) for (const row of each) rows.set(row.key, row);
		for (const row of changed.values()) if (bornIn(row.seq) === born) rows.set(row.key, row);
		const fitting = [...rows.values()].filter((row) => row.seq > after && row.seq < before);
		found.push(fitting.sort((a, b) => a.seq - b.seq));
		count += fitting.length;
	}
	return isUpward ? found.flat().slice(0, limit) : found.reverse().flat().slice(-limit);
}

export function readEvents({ events, part }: Recording, after: number, limit: number): IndexedEvent[] {
	const found: IndexedEvent[] = [];
	for (let seq = after + 1; seq <= events && found.length < limit; ) {
		const { after: start, events: partEvents } = part(bornIn(seq));
		const page = partEvents.slice(seq - 1 - start, seq - 1 - start + limit - found.length);
		found.push(...page);
		seq += page.length;
		if (page.length === 0) break;
	}
	return found;
}

/** Rows that a page shows at first. */
const FIRST_ROWS = 200;

/** A whole recording, wherever it is stored. */
export interface CompleteRecording extends Recording {
	/** Null for a session without events. */
	outline: SessionOutline | null;
	/** The part that contains the last event before an instant (ms). */
	partAt(instant: number): number;
	/** Time of a part's first event in ms; null if there is no such part. */
	startOf(index: number): number | null;
	/** All parts, and those with events of rows that began in part `born`, ascending. */
	partNumbers(): number[];
	partNumbersOf(born: number): number[];
	/** Up to `limit` chapters of these kinds before or after an instant (ms), ascending; those at it count as before. */
	chapters(kinds: readonly ChapterKind[], at: number, side: 'before' | 'after', limit: number): Chapter[];
}

/** Events after a seq; of one row those from `begun`, the seq of its first event. */
export interface EventsRequest {
	after: number;
	limit: number;
	row?: string | undefined;
	begun?: number | undefined;
}

/** The position of an instant (ms) among the events of several sessions. */
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
	const chaptersOn = (side: 'before' | 'after') =>
		recordings
			.flatMap((recording) => recording.chapters(kinds, at, side, limit))
			.sort((one, other) => one.at - other.at);
	return { before: chaptersOn('before').slice(-limit), after: chaptersOn('after').slice(0, limit) };
}

/** The part that contains an instant (ms) or a seq, with the newest rows before it. */
export function partAnswer(recording: CompleteRecording, request: { at: number } | { seq: number }): PartAnswer {
	const index = 'at' in request ? recording.partAt(request.at) : partOf(recording, request.seq);
	const part = recording.part(index);
	return {
		...part,
		rows: readRows(recording, part.after, { limit: FIRST_ROWS }),
		nextAt: recording.startOf(index + 1),
	};
}

/** Events after a seq, ascending; with `row` only those of one row. */
export function recordedEvents(
	recording: CompleteRecording,
	{ after, limit, row, begun }: EventsRequest,
): IndexedEvent[] {
	if (row === undefined) return readEvents(recording, after, limit);
	const partNumbers = begun === undefined ? recording.partNumbers() : recording.partNumbersOf(bornIn(begun));
	return partNumbers
		.flatMap((index) => eventsOfRow(recording.part(index), row))
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

/** When a part's event `seq` happened, or the one before the part. */
function timeIn({ after, startAt, events }: Pick<PartAnswer, 'after' | 'startAt' | 'events'>, seq: number) {
	let at = startAt;
	for (const event of events.slice(0, seq - after)) at = instantOf(event, at);
	return at;
}
