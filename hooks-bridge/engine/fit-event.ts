import type { BlobRef } from '#lib/contract/events/envelope.ts';
import { labelOf } from '#lib/contract/events/event-labels.ts';
import { isJson } from '#lib/json/json.ts';
import type { Ports, SealedEvent } from '../ports/ports.ts';

/** The same limit as the contract's MAX_EVENT_BYTES, which cannot be imported here: it stands beside zod. */
const MAX_LINE_BYTES = 64 * 1024;
const PREVIEW_CHARS = 1000;
/** Below this, moving a value to a blob would not make the line shorter. */
const WORTH_MOVING = 4 * PREVIEW_CHARS;

/** Fields whose schema takes any JSON, so a reference may stand in for the value. */
const MOVABLE: Readonly<Record<string, string>> = {
	'tool:call': 'input',
	'tool:result': 'response',
	'tool:error': 'error',
	'prompt:submit': 'prompt',
	'message:show': 'text',
	'agent:complete': 'message',
	'hook:event': 'fields',
	'gate:verdict': 'facts',
	'approval:request': 'input',
};

/**
 * Makes an event fit one line. What is too large goes to the session's blobs, largest first: first entries of the
 * movable field (a file's content, so that its path stays readable), then the whole field, then the whole event.
 */
export function fitEvent(event: SealedEvent, ports: Ports): SealedEvent {
	if (fits(event)) return event;
	const move = (value: unknown): BlobRef => blobOf(event.sessionId, value, ports);
	const name = MOVABLE[event.type];
	if (name !== undefined) {
		const value = event[name];
		if (isJson(value)) {
			const slim = moveLargest(event, name, value, move);
			if (slim) return slim;
		}
		const moved = { ...event, [name]: move(value) };
		if (fits(moved)) return moved;
	}
	const { id, ts, sessionId, requestId } = event;
	const type = 'hook:event';
	const envelope = { id, ts, type, category: 'hook', label: labelOf(type).en, sessionId, requestId };
	return { ...envelope, name: event.type, fields: move(event) };
}

function fits(event: SealedEvent): boolean {
	const json = eventLine(event);
	return json.length * 3 < MAX_LINE_BYTES || Buffer.byteLength(json) < MAX_LINE_BYTES - 2;
}

function moveLargest(
	event: SealedEvent,
	name: string,
	value: Record<string, unknown>,
	move: (value: unknown) => BlobRef,
): SealedEvent | null {
	const sizes = Object.entries(value)
		.map(([key, item]) => ({ key, item, size: JSON.stringify(item)?.length ?? 0 }))
		.filter(({ size }) => size > WORTH_MOVING)
		.sort((a, b) => b.size - a.size);
	const moved = new Map<string, unknown>();
	for (const { key, item } of sizes) {
		moved.set(key, move(item));
		const entries = Object.entries(value).map(([at, old]) => [at, moved.get(at) ?? old] as const);
		const slim = { ...event, [name]: Object.fromEntries(entries) };
		if (fits(slim)) return slim;
	}
	return null;
}

function blobOf(sessionId: string, value: unknown, ports: Ports): BlobRef {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return {
		blob: ports.writeBlob(sessionId, text),
		bytes: Buffer.byteLength(text),
		preview: text.slice(0, PREVIEW_CHARS),
	};
}

/** Sealed events never change, so that the size check and the append can share one text. */
const lines = new WeakMap<SealedEvent, string>();

/** The JSON of a sealed event, as it stands in a timeline. */
export function eventLine(event: SealedEvent): string {
	const known = lines.get(event);
	if (known !== undefined) return known;
	const line = JSON.stringify(event);
	lines.set(event, line);
	return line;
}
