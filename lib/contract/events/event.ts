import * as z from 'zod';
import { agentEvents } from './catalogue/agent.ts';
import { approvalEvents } from './catalogue/approval.ts';
import { judgementEvents } from './catalogue/judgement.ts';
import { sessionEvents } from './catalogue/session.ts';
import { systemEvents } from './catalogue/system.ts';
import { workflowEvents } from './catalogue/workflow.ts';
import { envelope } from './envelope.ts';
import { type EventType, isEventType } from './event-labels.ts';

const fields = {
	...workflowEvents,
	...sessionEvents,
	...agentEvents,
	...judgementEvents,
	...approvalEvents,
	...systemEvents,
} as const satisfies Record<EventType, z.ZodRawShape>;

type Fields = typeof fields;

/** The fields that a writer gives beside the envelope. */
export type FieldsOf<T extends EventType> = T extends EventType ? z.infer<z.ZodObject<Fields[T]>> : never;
/** The event of one type. */
export type EventOf<T extends EventType> = T extends EventType
	? z.infer<z.ZodObject<typeof envelope>> & { type: T } & FieldsOf<T>
	: never;

/** One schema a type. Strips what it does not know, so that hostile extra keys go no further. */
export const eventSchemas = Object.fromEntries(
	Object.entries(fields).map(([type, shape]) => [type, z.object({ ...envelope, type: z.literal(type), ...shape })]),
) as unknown as { [T in EventType]: z.ZodType<EventOf<T>> };

/** Any event of the catalogue, discriminated by `type`. */
export type KnownEvent = { [T in EventType]: EventOf<T> }[EventType];
const UnknownSchema = z.looseObject({ ...envelope, type: z.string().min(1).max(128) });
/** An event of a type that this version does not know, or with fields that do not fit: kept, shown raw. */
export type UnknownEvent = z.infer<z.ZodObject<typeof envelope>> & { type: string; unknown: true };

/** What a timeline holds. */
export type TimelineEvent = KnownEvent | UnknownEvent;

/**
 * Reads one timeline object. Total: gives null only when it lacks an envelope; a known type with
 * wrong fields comes back as unknown, so nothing that was recorded is ever dropped.
 */
export function parseEvent(line: unknown): TimelineEvent | null {
	const type = typeof line === 'object' && line !== null && 'type' in line ? line.type : undefined;
	if (typeof type === 'string' && isEventType(type)) {
		const known = eventSchemas[type].safeParse(line);
		if (known.success) return known.data as KnownEvent;
	}
	const other = UnknownSchema.safeParse(line);
	return other.success ? { ...other.data, unknown: true } : null;
}
