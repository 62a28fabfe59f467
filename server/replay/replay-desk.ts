import { AppError } from '#lib/contract/errors.ts';
import type {
	Chapter,
	ChapterKind,
	ChaptersAround,
	PartAnswer,
	RecordedMoment,
	Recording,
	SessionOutline,
} from '#lib/contract/replay.ts';
import { eventsOfRow, instantOf, seqAt } from '#lib/replay/fold-part.ts';
import { bornIn, partOf, readEvents, readRows } from '#lib/replay/read-reel.ts';
import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { readManifest } from '../features/archive-sync.ts';
import type { ReelFile } from './reel-file.ts';
import type { Reels } from './reels.ts';

/** Rows that a page shows at first. */
const FIRST_ROWS = 200;

/** A range of a session's rows as they stood after the event `seq`. */
export interface RowsAsked {
	seq: number;
	before?: number | undefined;
	after?: number | undefined;
	limit: number;
}

/** Events after a seq; of one row those from `begun`, the seq of its first event. */
export interface EventsAsked {
	after: number;
	limit: number;
	row?: string | undefined;
	begun?: number | undefined;
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

		async moment(id, at) {
			const all = wound(id).map((reel) => momentIn(reel, at));
			const previous = all.flatMap((one) => one.previous ?? []);
			const next = all.flatMap((one) => one.next ?? []);
			return {
				happened: all.reduce((sum, one) => sum + one.happened, 0),
				previous: previous.length > 0 ? Math.max(...previous) : null,
				next: next.length > 0 ? Math.min(...next) : null,
			};
		},

		async chapters(id, at, kinds, limit) {
			const all = wound(id);
			const on = (side: 'before' | 'after') =>
				all.flatMap((reel) => reel.chapters(kinds, at, side, limit)).sort(byInstant);
			return { before: on('before').slice(-limit), after: on('after').slice(0, limit) };
		},

		async part(id, sessionId, asked) {
			const reel = await reels.open(id, sessionId);
			if (!reel.outline) throw new AppError('session/not-found');
			const place = 'at' in asked ? reel.partAt(asked.at) : partOf(reel, asked.seq);
			const part = reel.part(place);
			return { ...part, rows: readRows(reel, part.after, { limit: FIRST_ROWS }), nextAt: reel.startOf(place + 1) };
		},

		async rows(id, sessionId, { seq, ...range }) {
			const reel = await reels.open(id, sessionId);
			return reel.outline ? readRows(reel, Math.min(seq, reel.events), range) : [];
		},

		async events(id, sessionId, { after, limit, row, begun }) {
			const reel = await reels.open(id, sessionId);
			if (row === undefined) return readEvents(reel, after, limit);
			const places = begun === undefined ? reel.places() : reel.placesOf(bornIn(begun));
			return eventsAt(reel, places, row)
				.filter(({ seq }) => seq > after)
				.slice(0, limit);
		},
	};
}

function momentIn(reel: ReelFile, at: number): RecordedMoment {
	const until = (instant: number) => {
		const part = reel.part(reel.partAt(instant));
		return { part, seq: seqAt(part, instant) };
	};
	const now = until(at);
	const before = until(at - 1);
	return {
		happened: now.seq,
		previous: before.seq === 0 ? null : timeIn(before.part, before.seq),
		next: now.seq === reel.events ? null : timeIn(now.part, now.seq + 1),
	};
}

/** When a part's event `seq` happened, or the one ahead of the part. */
function timeIn({ after, startAt, events }: Pick<PartAnswer, 'after' | 'startAt' | 'events'>, seq: number) {
	let at = startAt;
	for (const event of events.slice(0, seq - after)) at = instantOf(event, at);
	return at;
}

const eventsAt = (reel: ReelFile, places: readonly number[], row: string): IndexedEvent[] =>
	places.flatMap((place) => eventsOfRow(reel.part(place), row));

const byInstant = (a: Chapter, b: Chapter) => a.at - b.at;

const reasonOf = (error: unknown) =>
	error instanceof AppError ? error.message : 'This recording cannot be read; the log of the server says why.';
