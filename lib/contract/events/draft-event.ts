import type { FieldsOf } from './event.ts';
import type { EventType } from './event-labels.ts';

/** An event before its envelope is filled in; with an `id` of its own where its content is its identity. */
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
