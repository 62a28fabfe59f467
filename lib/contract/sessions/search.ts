import * as z from 'zod';
import { ServerStatus } from '../health/status.ts';
import { SessionId, Timestamp } from '../ids.ts';
import { Make } from './session-queries.ts';

/** `GET /api/search`: any text is a search. */
export const SearchQuery = z.object({
	/** Words that an event must have, all of them; what stands in quotes is one. */
	q: z
		.string({ error: 'write what to look for' })
		.max(200, 'write at most 200 characters')
		.refine((typed) => /(?!")[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(typed), 'write what to look for'),
	/** Rows of the story. */
	limit: z.coerce.number().int().min(1).max(200).default(50),
	/** Only in sessions of this make of agent. */
	make: Make.optional(),
	/** `next` of the answer before. */
	before: z.coerce.number().int().min(1).optional(),
});

/** One row of a session's story in which it was said; `seq` is the event's. */
export const SearchResult = z.object({
	sessionId: SessionId,
	rowKey: z.string(),
	seq: z.int(),
	/** What was said, around the words. */
	text: z.string(),
	/** Where in `text` the words stand: from (inclusive), to (exclusive). */
	marks: z.array(z.tuple([z.int(), z.int()])),
	at: Timestamp,
	type: z.string(),
	/** Of the session, as the list of sessions shows them. */
	agent: z.string(),
	project: z.string().optional(),
	branch: z.string().optional(),
	title: z.string().optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** The newest first. */
export const SearchAnswer = z.object({
	results: z.array(SearchResult),
	/** `before` of what comes after these; null: all was looked through. */
	next: z.int().nullable(),
	/** Not null: timelines are just being read, so not everything is found yet. */
	building: ServerStatus.shape.building,
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
