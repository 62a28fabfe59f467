import * as z from 'zod';
import { SessionName } from '../ids.ts';
import { Listed, Numbered } from '../read-model-object.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { IndexedEvent, SessionView, StageRun } from '../sessions/read-model/session-view.ts';
import { EventsQuery, RowsQuery } from '../sessions/session-queries.ts';
import { chapterKinds } from './chapter-kinds.ts';

/** Ms since the epoch. Events of a wrong clock may lie before it. */
const Instant = z.number();
const AskedInstant = z.coerce.number<number>().int();
const Seq = z.int().nonnegative();

export const ChapterKind = z.enum(chapterKinds);
export type ChapterKind = z.infer<typeof ChapterKind>;

/** A moment of a session that a reader jumps to. */
export const Chapter = z.object({
	kind: ChapterKind,
	sessionId: SessionName,
	/** Of its event, unique in the session. */
	seq: Seq,
	/** When the recording has it: never before the event ahead of it. */
	at: Instant,
	/** The story's row. */
	row: z.string(),
	/** Agent text. */
	title: z.string(),
});
export type Chapter = z.infer<typeof Chapter>;

/** A stretch of time, `to` not before `from`. */
const Stretch = z.object({ from: Instant, to: Instant });

/** What is known of a whole recorded session at once; bounded, however long it is. */
export const SessionOutline = Stretch.extend({
	sessionId: SessionName,
	events: Seq,
	/** When something happened or a call was open, ascending; the time between is idle. */
	busy: z.array(Stretch),
	/** The instants of events that are spread over it. */
	points: z.array(z.object({ seq: Seq, at: Instant })),
	runs: z.array(Listed<StageRun>()),
	chapters: z.partialRecord(ChapterKind, Seq),
	/** Where chapters are, thinned out where there are too many to be told apart. */
	marks: z.array(z.object({ kind: ChapterKind, at: Instant })),
	/** Why reading its timeline ended early. */
	cut: z.string().optional(),
});
export type SessionOutline = z.infer<typeof SessionOutline>;

/** `GET /api/features/:id/recording`: all sessions with events; those that are still being read are left out. */
export const Recording = z.object({
	sessions: z.array(SessionOutline),
	/** Sessions whose timelines could not be read, with the reason. */
	failed: z.array(z.object({ sessionId: SessionName, reason: z.string() })),
	/** The share that has been read, 0 to 1; absent once all of it has. */
	reading: z.number().optional(),
});
export type Recording = z.infer<typeof Recording>;

/** `GET /api/features/:id/recording/moment?at=MS` */
export const MomentQuery = z.object({ at: AskedInstant });
/** Where an instant stands among the events of all sessions. */
export const RecordedMoment = z.object({
	/** Events up to it. */
	happened: Seq,
	/** The last instant before it at which something happened, and the first one after it. */
	previous: Instant.nullable(),
	next: Instant.nullable(),
});
export type RecordedMoment = z.infer<typeof RecordedMoment>;

/** `GET /api/features/:id/recording/chapters`: those around an instant, `kinds` parted by commas. */
export const ChaptersQuery = z.object({
	at: AskedInstant,
	kinds: z
		.string()
		.max(200)
		.transform((text) => text.split(','))
		.pipe(z.array(ChapterKind)),
	limit: z.coerce.number<number>().int().min(1).max(200).default(100),
});
/** Ascending; as many as asked for on either side, `before` with those of the very instant. */
export const ChaptersAround = z.object({ before: z.array(Chapter), after: z.array(Chapter) });
export type ChaptersAround = z.infer<typeof ChaptersAround>;

/** A stretch of a recorded session with all that folding it needs. */
export const Part = z.object({
	/** The seq of the event ahead of its first one; 0 at the start. */
	after: Seq,
	/** When that event was; null at the start. */
	startAt: Instant.nullable(),
	/** The view before its first event. */
	view: Listed<SessionView>(),
	/** Rows that its events change, as they stood before it. */
	recalled: z.array(Numbered<Row>()),
	events: z.array(Numbered<IndexedEvent>()),
});
export type Part = z.infer<typeof Part>;

/** `GET /api/features/:id/sessions/:sessionId/part`: the one in which an instant or a seq lies. */
export const PartQuery = z.union([
	z.strictObject({ at: AskedInstant }),
	z.strictObject({ seq: z.coerce.number<number>().int().min(0) }),
]);
/** A part with the newest rows before it, and when the event after it happens; null where it is the last. */
export const PartAnswer = Part.extend({ rows: z.array(Numbered<Row>()), nextAt: Instant.nullable() });
export type PartAnswer = z.infer<typeof PartAnswer>;

/** `GET /api/features/:id/sessions/:sessionId/rows`: as they stood after the event `seq`. */
export const RecordedRowsQuery = RowsQuery.omit({ until: true }).extend({
	seq: z.coerce.number<number>().int().min(0),
});

/** `GET /api/features/:id/sessions/:sessionId/events`: `begun` is the seq of the first event of `row`. */
export const RecordedEventsQuery = EventsQuery.extend({ begun: z.coerce.number<number>().int().min(1).optional() });
