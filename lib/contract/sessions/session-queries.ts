import * as z from 'zod';
import { ServerStatus } from '../health/status.ts';
import { SessionId, SessionName, Timestamp } from '../ids.ts';

/** An object of the read model, whose fields are described elsewhere. */
export const Listed = <T>() => z.custom<T>().meta({ type: 'object' });

export const Numbered = <T extends { seq: number }>() =>
	z.custom<T>().meta({ type: 'object', properties: { seq: { type: 'integer' } }, required: ['seq'] });

/** Minutes that UTC is ahead of the reader's clock, as `Date.getTimezoneOffset` has it. */
export const Zone = z.coerce.number<number>().int().min(-900).max(900);

export const ClientName = z.string().max(64);

export const SessionsQuery = z.object({
	limit: z.coerce.number<number>().int().min(1).max(5000).default(5000),
	before: z.string().max(300).optional(),
	/** In project, branch, first prompt, workflow, status, client or id. */
	q: z.string().max(200).optional(),
	make: ClientName.optional(),
	ids: z
		.string()
		.max(20_000)
		.transform((ids) => ids.split(','))
		.optional(),
	alarmed: z.literal('true').optional(),
	team: z.string().max(300).optional(),
	project: z.string().max(300).optional(),
	machine: z.string().max(300).optional(),
	zone: Zone.optional(),
});

export const SourceOptions = z.object({
	teams: z.array(z.string()),
	projects: z.array(z.string()),
	machines: z.array(
		z.object({
			name: z.string(),
			team: z.string(),
			connected: z.boolean(),
			seenAt: z.string().nullable(),
			/** Running and waiting sessions; denied calls of the last 24 hours. */
			running: z.int(),
			waiting: z.int(),
			denied: z.int(),
		}),
	),
});
export type SourceOptions = z.infer<typeof SourceOptions>;

/** `after` is exclusive, answers ascend by `seq`. */
export const EventsQuery = z.object({
	after: z.coerce.number<number>().int().min(0).default(0),
	limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
	row: z.string().max(300).optional(),
});

/** The newest `limit` rows before `before` (a row's `seq`), ascending. */
export const RowsQuery = z.object({
	before: z.coerce.number<number>().int().min(1).optional(),
	after: z.coerce.number<number>().int().min(0).optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(200),
	until: Timestamp.optional(),
});

export const BlobParam = z.object({ id: SessionId, sha: z.string().regex(/^[0-9a-f]{64}$/) });

/** By its last path part. */
export const HandoffParam = z.object({ id: SessionId, name: z.string().regex(/^\w[\w.:-]{0,127}$/) });

export const FleetQuery = z.object({ minutes: z.coerce.number<number>().int().min(5).max(1440).default(60) });

const LaneState = z.enum(['working', 'waiting', 'reviewed', 'failed', 'idle', 'over']);

export const FleetLane = z.object({
	sessionId: SessionId,
	/** Null if unknown or not begun. */
	before: LaneState.nullable(),
	moments: z.array(
		z.object({
			at: Timestamp,
			what: z.union([LaneState, z.enum(['denial', 'mismatch', 'decision'])]),
			row: z.string(),
		}),
	),
});

export const Fleet = z.object({
	from: Timestamp,
	to: Timestamp,
	lanes: z.array(FleetLane),
	more: z.int(),
});
export type Fleet = z.infer<typeof Fleet>;
export type FleetLane = Fleet['lanes'][number];

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
