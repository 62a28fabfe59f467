import * as z from 'zod';
import { EventId, SessionId, Timestamp } from '../ids.ts';

/** An event line is at most this many bytes; larger fields live in `blobs/` (DESIGN 3). */
export const MAX_EVENT_BYTES = 64 * 1024;

/** What every line carries beside the fields of its type; flat, as in the seed's timeline. */
export const envelope = {
	id: EventId,
	ts: Timestamp,
	category: z.string(),
	label: z.string(),
	sessionId: SessionId,
	/** Absent means the main agent. With `sessionId` it is the actor's key. */
	agentId: z.string().max(128).optional(),
	toolUseId: z.string().max(256).optional(),
	/** The id of the event that led to this one. */
	causedBy: z.string().max(128).optional(),
	/** Where the session is: on the first line of a timeline, whatever its type, and where a type has it of its own. */
	cwd: z.string().optional(),
	project: z.string().optional(),
	/** The make of agent, in the same places; absent means the first of the agent table. */
	make: z.string().max(64).optional(),
	/** Where the client writes down the conversation: in the same places, and where a turn or the session ends. */
	transcript: z.string().max(4096).optional(),
	/** The hook run that wrote it; a run's answer is looked up by it (DESIGN 1, Ids). */
	requestId: z.string().max(128).optional(),
};

/** A field too large for a line: its bytes are in `blobs/<sha256>` of the session. */
export const BlobRef = z.object({
	blob: z.string().regex(/^[0-9a-f]{64}$/),
	bytes: z.number().int().nonnegative(),
	preview: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;
