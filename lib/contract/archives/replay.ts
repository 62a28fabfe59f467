import * as z from 'zod';
import { SessionName } from '../ids.ts';
import { Sentences } from '../sentences.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { IndexedEvent, SessionView, StageRun } from '../sessions/read-model/session-view.ts';
import { EventsQuery, Listed, Numbered, RowsQuery } from '../sessions/session-queries.ts';
import { chapterKinds } from './chapter-kinds.ts';

/** ms since the epoch. Events of a wrong clock may be earlier. */
const Instant = z.number();
const AskedInstant = z.coerce.number<number>().int();
const Seq = z.int().nonnegative();

export const ChapterKind = z.enum(chapterKinds);
export type ChapterKind = z.infer<typeof ChapterKind>;

export const Chapter = z.object({
	kind: ChapterKind,
	sessionId: SessionName,
	seq: Seq,
	at: Instant,
	row: z.string(),
	title: z.string(),
	sentences: Sentences<'title'>(),
});
export type Chapter = z.infer<typeof Chapter>;

const Stretch = z.object({ from: Instant, to: Instant });

/** What is known of a whole recorded session; bounded, however long it is. */
export const SessionOutline = Stretch.extend({
	sessionId: SessionName,
	events: Seq,
	/** Events or open calls, ascending; the time between is idle. */
	busy: z.array(Stretch),
	points: z.array(z.object({ seq: Seq, at: Instant })),
	runs: z.array(Listed<StageRun>()),
	chapters: z.partialRecord(ChapterKind, Seq),
	marks: z.array(z.object({ kind: ChapterKind, at: Instant })),
	cut: z.string().optional(),
});
export type SessionOutline = z.infer<typeof SessionOutline>;

/** Sessions that are still being read are left out. */
export const Recording = z.object({
	sessions: z.array(SessionOutline),
	failed: z.array(z.object({ sessionId: SessionName, reason: z.string(), sentences: Sentences<'reason'>() })),
	reading: z.number().optional(),
});
export type Recording = z.infer<typeof Recording>;

export const MomentQuery = z.object({ at: AskedInstant });
export const RecordedMoment = z.object({
	happened: Seq,
	previous: Instant.nullable(),
	next: Instant.nullable(),
});
export type RecordedMoment = z.infer<typeof RecordedMoment>;

export const ChaptersQuery = z.object({
	at: AskedInstant,
	kinds: z
		.string()
		.max(200)
		.transform((text) => text.split(','))
		.pipe(z.array(ChapterKind)),
	limit: z.coerce.number<number>().int().min(1).max(200).default(100),
});
export const ChaptersAround = z.object({ before: z.array(Chapter), after: z.array(Chapter) });
export type ChaptersAround = z.infer<typeof ChaptersAround>;

/** A stretch of a recorded session with what folding it needs. */
export const Part = z.object({
	after: Seq,
	startAt: Instant.nullable(),
	view: Listed<SessionView>(),
	/** Rows that its events change, as they were before. */
	recalled: z.array(Numbered<Row>()),
	events: z.array(Numbered<IndexedEvent>()),
});
export type Part = z.infer<typeof Part>;

export const PartQuery = z.union([
	z.strictObject({ at: AskedInstant }),
	z.strictObject({ seq: z.coerce.number<number>().int().min(0) }),
]);
/** With the newest rows before it; `nextAt` is null in the last part. */
export const PartAnswer = Part.extend({ rows: z.array(Numbered<Row>()), nextAt: Instant.nullable() });
export type PartAnswer = z.infer<typeof PartAnswer>;

export const RecordedRowsQuery = RowsQuery.omit({ until: true }).extend({
	seq: z.coerce.number<number>().int().min(0),
});

/** `begun` is the seq of the first event of `row`. */
export const RecordedEventsQuery = EventsQuery.extend({ begun: z.coerce.number<number>().int().min(1).optional() });
