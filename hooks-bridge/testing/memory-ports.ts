import { createHash } from 'node:crypto';
import type { FileRead, Ports, RecordedAnswer, SealedEvent } from '../ports.ts';

/** Ports without a machine: files are a map from path to text, timelines are arrays. */
export interface MemoryPorts extends Ports {
	files: Map<string, string | Exclude<FileRead, { ok: true }>['why']>;
	timelines: Map<string, SealedEvent[]>;
	blobs: Map<string, string>;
	/** Every event in the order of appending. */
	all(): SealedEvent[];
}

/** Fresh ports; `files` may hold a reason instead of a text, for a file that cannot be read. */
export function memoryPorts(files: Record<string, string> = {}): MemoryPorts {
	const kept: MemoryPorts['files'] = new Map(Object.entries(files));
	const timelines = new Map<string, SealedEvent[]>();
	const blobs = new Map<string, string>();
	const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
	const read = (path: string): FileRead => {
		const found = kept.get(path);
		switch (found) {
			case undefined:
				return { ok: false, why: 'absent' };
			case 'absent':
			case 'not-regular':
			case 'outside':
			case 'too-large':
			case 'unreadable':
				return { ok: false, why: found };
			default:
				return { ok: true, text: found, mtimeMs: 1 };
		}
	};
	return {
		files: kept,
		timelines,
		blobs,
		all: () => [...timelines.values()].flat(),
		now: () => Date.parse('2026-11-21T10:00:00.000Z'),
		readProjectFile: (root, relative) => read(`${root}/${relative}`),
		readClientFile: read,
		readHomeFile: (relative) => read(`~/${relative}`),
		projectRootOf: (cwd) => cwd,
		append: (sessionId, events) => {
			timelines.set(sessionId, [...(timelines.get(sessionId) ?? []), ...structuredClone(events)]);
		},
		writeBlob: (_, text) => {
			blobs.set(digest(text), text);
			return digest(text);
		},
		recorded: (sessionId, keys) => findRecorded(timelines.get(sessionId) ?? [], keys),
		digest,
	};
}

function findRecorded(events: readonly SealedEvent[], keys: readonly string[]): RecordedAnswer | undefined {
	const hit = events.find((event) => keys.includes(event.id) || keys.includes(String(event.requestId)));
	if (!hit) return undefined;
	const verdict = events.find((event) => event.requestId === hit.requestId && event.type === 'gate:verdict');
	return { output: (verdict?.output as RecordedAnswer['output']) ?? null };
}
