import * as z from 'zod';
import { ServerStatus } from '../health/status.ts';
import { SessionName, Timestamp } from '../ids.ts';
import { ClientName } from './session-queries.ts';

export const SearchQuery = z.object({
	/** All words must be in one event; a quotation is one word. */
	q: z
		.string({ error: 'write what to look for' })
		.max(200, 'write at most 200 characters')
		.refine((typed) => /(?!")[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(typed), 'write what to look for'),
	limit: z.coerce.number().int().min(1).max(200).default(50),
	make: ClientName.optional(),
	before: z.coerce.number().int().min(1).optional(),
});

export const SearchResult = z.object({
	sessionId: SessionName,
	rowKey: z.string(),
	seq: z.int(),
	text: z.string(),
	marks: z.array(z.tuple([z.int(), z.int()])),
	at: Timestamp,
	type: z.string(),
	agent: z.string(),
	project: z.string().optional(),
	branch: z.string().optional(),
	title: z.string().optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchAnswer = z.object({
	results: z.array(SearchResult),
	/** `before` of the next answer; null: everything was searched. */
	next: z.int().nullable(),
	building: ServerStatus.shape.building,
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
