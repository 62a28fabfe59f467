import type { IndexedEvent } from '#lib/session/view.ts';

/** The envelope is told elsewhere or tells a person nothing. */
const envelope: ReadonlySet<string> = new Set([
	...['id', 'ts', 'type', 'category', 'label', 'sessionId', 'agentId', 'toolUseId', 'causedBy', 'requestId'],
	...['seq', 'unverified', 'unknown', 'output', 'durationMs', 'tool'],
]);

/** An event's own fields. */
export function eventFields(event: IndexedEvent): Record<string, unknown> {
	return Object.fromEntries(Object.entries(event).filter(([name]) => !envelope.has(name)));
}
