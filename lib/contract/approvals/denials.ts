import * as z from 'zod';
import { Denial } from '../events/catalogue/approval.ts';
import { EventId, SessionId, Timestamp } from '../ids.ts';

/** One element of `GET /api/denials`: a call that was denied without a question to anybody, and still stands so. */
export const UnaskedDenial = z.object({
	sessionId: SessionId,
	/** Of the newest such call; one without an id is named by its verdict. */
	toolUseId: z.string().optional(),
	eventId: EventId.optional(),
	/** The actor's name; absent for the main agent. */
	actor: z.string().optional(),
	tool: z.string(),
	/** One line for a person: the command, the file, the agent's task. */
	title: z.string(),
	/** The sub-agent that the call asks for. */
	asked: z.string().optional(),
	denials: z.array(Denial).min(1),
	/** How it was printed: after `stop` the agent does not try again by itself. */
	form: z.enum(['stop', 'deny']).optional(),
	at: Timestamp,
	/** How many calls of the session asked the same and were denied so. */
	count: z.int().min(1),
	/** The session is over: no try of it comes, unless somebody resumes it. */
	ended: z.boolean(),
});
export type UnaskedDenial = z.infer<typeof UnaskedDenial>;

/** `GET /api/denials` */
export const DenialsQuery = z.object({ limit: z.coerce.number<number>().int().min(1).max(200).default(50) });
