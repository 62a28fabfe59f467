import type { KnownEvent, TimelineEvent } from './event.ts';

/** Loads no schema, since every page asks it. */
export function isKnown(event: TimelineEvent): event is KnownEvent {
	return !('unknown' in event);
}
