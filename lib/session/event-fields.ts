import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';

const places: ReadonlySet<string> = new Set(['id', 'ts', 'type', 'category', 'label', 'seq', 'sessionId', 'requestId']);
const lastly = /^(?:cwd|project|transcript|inputDigest|causedBy|\w+Id)$/;

const envelope: ReadonlySet<string> = new Set([
	...['id', 'ts', 'type', 'category', 'label', 'sessionId', 'agentId', 'toolUseId', 'causedBy', 'requestId'],
	...['seq', 'unverified', 'unknown', 'output', 'durationMs', 'tool'],
]);

/** What a row's detail lists: all but the envelope and what the page shows elsewhere. */
export function eventFields(event: IndexedEvent): Record<string, unknown> {
	return Object.fromEntries(Object.entries(event).filter(([name]) => !envelope.has(name)));
}

/** The fields of an event without its position, ids and what its type says already; those that say where it comes from are last. */
export function rawFields(event: IndexedEvent): Record<string, unknown> {
	const entries = Object.entries(event).filter(([name]) => !places.has(name));
	const own = entries.filter(([name]) => !lastly.test(name));
	return Object.fromEntries([...own, ...entries.filter(([name]) => lastly.test(name))]);
}
