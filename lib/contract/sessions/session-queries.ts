import * as z from 'zod';
import { SessionId, Timestamp } from '../ids.ts';

/** How many minutes UTC is ahead of a reader's clock, as `Date.getTimezoneOffset` tells it. */
export const Zone = z.coerce.number<number>().int().min(-900).max(900);

/** Narrows a list to what one make of agent did; any text is a name, if perhaps of none. */
export const Make = z.string().max(64);

/** `GET /api/sessions`: without a query all sessions, up to 5,000; `next` is where the following page begins. */
export const SessionsQuery = z.object({
	limit: z.coerce.number<number>().int().min(1).max(5000).default(5000),
	/** `next` of the page before. */
	before: z.string().max(300).optional(),
	/** Only those that have every one of these words in project, branch, first prompt, workflow, status, make of agent or id. */
	q: z.string().max(200).optional(),
	make: Make.optional(),
	/** Only these, separated by commas. */
	ids: z
		.string()
		.max(20_000)
		.transform((ids) => ids.split(','))
		.optional(),
	/** Only those with a call that did not go as decided. */
	alarmed: z.literal('true').optional(),
	/** Only those of this team, project or machine, by their names. */
	team: z.string().max(300).optional(),
	project: z.string().max(300).optional(),
	machine: z.string().max(300).optional(),
	zone: Zone.optional(),
});

/** `GET /api/places`: what the list can be narrowed to. Only a hub has teams and machines. */
export const SourceOptions = z.object({
	teams: z.array(z.string()),
	projects: z.array(z.string()),
	machines: z.array(
		z.object({
			name: z.string(),
			team: z.string(),
			/** When it was connected last (ISO). */
			seenAt: z.string().nullable(),
			/** Its sessions that run, and that wait for a person; calls that gates denied there in the last 24 hours. */
			...{ running: z.int(), waiting: z.int(), denied: z.int() },
		}),
	),
});
export type SourceOptions = z.infer<typeof SourceOptions>;

/** `GET /api/sessions/:id/events`: `after` is exclusive, answers ascend by `seq`. */
export const EventsQuery = z.object({
	after: z.coerce.number<number>().int().min(0).default(0),
	limit: z.coerce.number<number>().int().min(1).max(1000).default(200),
	/** Only the events of one row: its whole story, for the detail pane. */
	row: z.string().max(300).optional(),
});

/** `GET /api/sessions/:id/rows`: the newest `limit` rows before `before` (a row's `seq`), ascending. */
export const RowsQuery = z.object({
	before: z.coerce.number<number>().int().min(1).optional(),
	after: z.coerce.number<number>().int().min(0).optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(200),
	/** Only rows that had begun by then. */
	until: Timestamp.optional(),
});

/** `GET /api/sessions/:id/blobs/:sha`: a value that was too large for its event. */
export const BlobParam = z.object({ id: SessionId, sha: z.string().regex(/^[0-9a-f]{64}$/) });

/** `GET /api/sessions/:id/handoffs/:name`: a handoff's file by its last path part. */
export const HandoffParam = z.object({ id: SessionId, name: z.string().regex(/^\w[\w.:-]{0,127}$/) });
