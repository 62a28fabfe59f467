import { createHash } from 'node:crypto';
import type { KnownEvent } from '#lib/contract/events/event.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { pendingMessage, type TaskBox, taskProgress } from '#lib/features/tasks-file.ts';
import { foldLoop } from '#lib/workflow/loop-fold.ts';
import { foldWorkflowState } from '#lib/workflow/workflow-fold.ts';
import type { Flow } from '../ports/flow-port.ts';
import type { FileRead, Ports, RecordedAnswer, SealedEvent } from '../ports/ports.ts';

/** Ports without a machine: files are a map from path to text, timelines are arrays. */
export interface MemoryPorts extends Ports {
	files: Map<string, string | Exclude<FileRead, { ok: true }>['why']>;
	timelines: Map<string, SealedEvent[]>;
	blobs: Map<string, string>;
	/** Handoffs by session and path. */
	handoffs: Map<string, string>;
	observations: Map<string, Observation[]>;
	/** Boxes of features in progress, by name; ticking and archiving change them. */
	boxes: Map<string, TaskBox[]>;
	archived: string[];
	/** Every event in the order of appending. */
	all(): SealedEvent[];
}

/** Fresh ports; `files` may hold a reason instead of a text, for a file that cannot be read. */
export function memoryPorts(files: Record<string, string> = {}): MemoryPorts {
	const kept: MemoryPorts['files'] = new Map(Object.entries(files));
	const timelines = new Map<string, SealedEvent[]>();
	const blobs = new Map<string, string>();
	const handoffs: MemoryPorts['handoffs'] = new Map();
	const observations: MemoryPorts['observations'] = new Map();
	const boxes: MemoryPorts['boxes'] = new Map();
	const archived: string[] = [];
	const read = (sessionId: string): Flow => {
		const events = (timelines.get(sessionId) ?? []) as unknown as KnownEvent[];
		const workflow = events.reduce<Flow['workflow']>(foldWorkflowState, null);
		return { workflow, loop: events.reduce<Flow['loop']>(foldLoop, null), adopted: [], locked: true };
	};
	const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
	const readFile = (path: string): FileRead => {
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
		handoffs,
		observations,
		boxes,
		archived,
		flow: {
			has: (sessionId) => read(sessionId).workflow !== null,
			hasStarted: (sessionId, agentId) => {
				const starts = (timelines.get(sessionId) ?? []).filter(({ type }) => type === 'agent:start');
				return starts.length === 0 || starts.some((start) => start.agentId === agentId);
			},
			read,
			locked: (sessionId, work) => work(read(sessionId)),
		},
		features: {
			tasks: (_, feature = [...boxes.keys()].sort()[0]) => {
				const found = feature === undefined ? undefined : boxes.get(feature);
				if (feature === undefined || !found) return null;
				const progress = taskProgress(found);
				return { feature, ...progress, message: pendingMessage(feature, progress) };
			},
			tick: (_, feature, label) => {
				const box = boxes.get(feature)?.find((one) => one.text === label && !one.checked);
				if (box) box.checked = true;
				return box !== undefined;
			},
			open: (_, feature, { tasks }) => {
				boxes.set(
					feature,
					tasks.map((text) => ({ text, checked: false, mark: 0, indent: 0 })),
				);
				return { ok: true, path: `specs/features/in-progress/${feature}` };
			},
			archive: (_, feature) => {
				if (!boxes.delete(feature)) return { ok: false, detail: `There is no feature ${feature} to archive.` };
				archived.push(feature);
				return { ok: true, path: `specs/features/archive/${feature}` };
			},
		},
		sessionFiles: {
			prepare: () => undefined,
			handoffs: (sessionId) => `~/sessions/${sessionId}/handoffs`,
			writeHandoff: (sessionId, name, text) => {
				const path = `handoffs/${name}.md`;
				handoffs.set(`${sessionId}/${path}`, text);
				return path;
			},
			habits: (sessionId) => observations.get(sessionId) ?? [],
			othersHabits: (sessionId) => [...observations].flatMap(([id, known]) => (id === sessionId ? [] : known)),
			observe: (sessionId, change) => {
				const after = change(observations.get(sessionId) ?? []);
				if (after) observations.set(sessionId, after);
				return true;
			},
		},
		all: () => [...timelines.values()].flat(),
		now: () => Date.parse('2026-11-21T10:00:00.000Z'),
		readProjectFile: (root, relative) => readFile(`${root}/${relative}`),
		listProjectFiles: (root, relative) =>
			[...kept.keys()]
				.filter((path) => path.startsWith(`${root}/${relative}/`))
				.map((path) => ({ name: path.slice(`${root}/${relative}/`.length), mtimeMs: 1 })),
		editProjectFile: (root, relative, change) => {
			const before = readFile(`${root}/${relative}`);
			const after = change(before.ok ? before.text : null);
			if (after !== null) kept.set(`${root}/${relative}`, after);
			return after !== null;
		},
		readClientFile: readFile,
		readHomeFile: (relative) => readFile(`~/${relative}`),
		projectRootOf: (cwd) => cwd,
		append: (sessionId, events) => {
			timelines.set(sessionId, [...(timelines.get(sessionId) ?? []), ...structuredClone(events)]);
		},
		writeBlob: (_, text) => {
			blobs.set(digest(text), text);
			return digest(text);
		},
		hasTimeline: (sessionId) => timelines.has(sessionId),
		recorded: (sessionId, keys) => findRecorded(timelines.get(sessionId) ?? [], keys),
		lines: (sessionId, ids) => (timelines.get(sessionId) ?? []).filter(({ id }) => ids.includes(id)),
		linesWith: (sessionId, text) =>
			(timelines.get(sessionId) ?? []).filter((event) => JSON.stringify(event).includes(text)),
		digest,
	};
}

function findRecorded(events: readonly SealedEvent[], keys: readonly string[]): RecordedAnswer | undefined {
	const hit = events.find((event) => keys.includes(event.id) || keys.includes(String(event.requestId)));
	if (!hit) return undefined;
	const verdict = events.find((event) => event.requestId === hit.requestId && event.type === 'gate:verdict');
	return { decision: (verdict?.answer as RecordedAnswer['decision']) ?? null, isOwn: true };
}
