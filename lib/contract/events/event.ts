import * as z from 'zod';
import { EventId, SessionId, Timestamp } from '../ids.ts';
import { agentEvents } from './catalogue/agent.ts';
import { approvalEvents } from './catalogue/approval.ts';
import { judgementEvents } from './catalogue/judgement.ts';
import { sessionEvents, systemEvents } from './catalogue/session.ts';
import { workflowEvents } from './catalogue/workflow.ts';
import { type EventType, isEventType } from './event-labels.ts';

/** Bytes of an event line; larger fields are stored in `blobs/`. */
export const MAX_EVENT_BYTES = 64 * 1024;

export const envelope = {
	id: EventId,
	ts: Timestamp,
	category: z.string(),
	label: z.string(),
	sessionId: SessionId,
	/** Absent for the main agent. With `sessionId` it is the actor's key. */
	agentId: z.string().max(128).optional(),
	toolUseId: z.string().max(256).optional(),
	causedBy: z.string().max(128).optional(),
	/** On the first line of a timeline, and on types that have it. */
	cwd: z.string().optional(),
	project: z.string().optional(),
	/** The client; in the same places; absent means the first of the agent table. */
	make: z.string().max(64).optional(),
	/** The client's record of the conversation; in the same places, and at the end of a turn or session. */
	transcript: z.string().max(4096).optional(),
	requestId: z.string().max(128).optional(),
};

/** A field too large for a line: its bytes are in `blobs/<sha256>` of the session. */
export const BlobRef = z.object({
	blob: z.string().regex(/^[0-9a-f]{64}$/),
	bytes: z.number().int().nonnegative(),
	preview: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

const fields = {
	...workflowEvents,
	...sessionEvents,
	...agentEvents,
	...judgementEvents,
	...approvalEvents,
	...systemEvents,
} as const satisfies Record<EventType, z.ZodRawShape>;

type Fields = typeof fields;

export type FieldsOf<T extends EventType> = T extends EventType ? z.infer<z.ZodObject<Fields[T]>> : never;
export type EventOf<T extends EventType> = T extends EventType
	? z.infer<z.ZodObject<typeof envelope>> & { type: T } & FieldsOf<T>
	: never;

/** Strips unknown keys, so that hostile ones go no further. */
const eventSchemas = Object.fromEntries(
	Object.entries(fields).map(([type, shape]) => [type, z.object({ ...envelope, type: z.literal(type), ...shape })]),
) as unknown as { [T in EventType]: z.ZodType<EventOf<T>> };

export type KnownEvent = { [T in EventType]: EventOf<T> }[EventType];
const UnknownSchema = z.looseObject({ ...envelope, type: z.string().min(1).max(128) });
/** An unknown type, or fields that do not fit: kept, shown raw. */
type UnknownEvent = z.infer<z.ZodObject<typeof envelope>> & { type: string; unknown: true };

export type TimelineEvent = KnownEvent | UnknownEvent;

/** Null only without an envelope. A known type with wrong fields comes back as unknown, so that nothing recorded is dropped. */
export function parseEvent(line: unknown): TimelineEvent | null {
	const type = typeof line === 'object' && line !== null && 'type' in line ? line.type : undefined;
	if (typeof type === 'string' && isEventType(type)) {
		const known = eventSchemas[type].safeParse(line);
		if (known.success) return known.data as KnownEvent;
	}
	const other = UnknownSchema.safeParse(line);
	return other.success ? { ...other.data, unknown: true } : null;
}

export type DraftEvent = {
	[T in EventType]: {
		type: T;
		id?: string;
		agentId?: string;
		toolUseId?: string;
		causedBy?: string;
		cwd?: string;
		project?: string;
		make?: string;
		transcript?: string;
	} & FieldsOf<T>;
}[EventType];
