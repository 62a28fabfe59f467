import type { IndexedEvent } from './view.ts';

/** What the list of raw events tells in columns of its own, or not at all. */
const places: ReadonlySet<string> = new Set(['id', 'ts', 'type', 'seq', 'sessionId', 'requestId']);
const lastly: ReadonlySet<string> = new Set(['category', 'label', 'agentId', 'toolUseId', 'causedBy']);

/** The envelope is told elsewhere or tells a person nothing. */
const envelope: ReadonlySet<string> = new Set([
	...['id', 'ts', 'type', 'category', 'label', 'sessionId', 'agentId', 'toolUseId', 'causedBy', 'requestId'],
	...['seq', 'unverified', 'unknown', 'output', 'durationMs', 'tool'],
]);

/** An event's own fields. */
export function eventFields(event: IndexedEvent): Record<string, unknown> {
	return Object.fromEntries(Object.entries(event).filter(([name]) => !envelope.has(name)));
}

/** An event as it came but for its place and ids; what is its own comes first. */
export function rawFields(event: IndexedEvent): Record<string, unknown> {
	const entries = Object.entries(event).filter(([name]) => !places.has(name));
	const own = entries.filter(([name]) => !lastly.has(name));
	return Object.fromEntries([...own, ...entries.filter(([name]) => lastly.has(name))]);
}
