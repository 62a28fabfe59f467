import type { FieldsOf } from './event.ts';
import type { EventType } from './event-labels.ts';

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
