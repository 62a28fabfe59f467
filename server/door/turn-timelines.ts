import type { OnAppend, TimelinePort } from '#hooks-bridge/disk/timeline-files.ts';
import {
	appendBytes,
	type OpenTimeline,
	Recall,
	TimelineFiles,
	timelineBytes,
} from '#hooks-bridge/disk/timeline-files.ts';
import { isDiskFault } from '#hooks-bridge/disk/write-files.ts';
import { eventLine } from '#hooks-bridge/engine/record.ts';
import { createNodePorts, type NodePortsOptions } from '#hooks-bridge/node/node-ports.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { type Unwritten, UnwrittenLines } from './kept-lines.ts';

/** Less than the cached timelines, so that none is closed while lines wait for it. */
const MAX_SESSIONS = 32;
const MAX_EVENTS = 500;

/** Lines of one session that wait to be written, by the number of their job. */
interface Waiting {
	timeline: OpenTimeline;
	byJob: Map<number, SealedEvent[]>;
	keys: Set<unknown>;
}

/** Timelines that join the lines of several hooks in one turn: one check and one write a session. */
export interface TurnTimelines extends TimelinePort {
	/** Runs the jobs in order; returns results once lines are on disk, else those of `unwritten`. */
	together<T>(jobs: readonly (() => T)[], unwritten: (done: T, error: unknown) => T): T[];
	/** Retries to write lines that wait for the disk. */
	retry(): void;
	/** Stores a blob that the disk refused because of `why`, before the line that names it. */
	addBlob(sessionId: string, text: string, why: unknown): void;
	/** Counts lines that an earlier process had in memory and lost. */
	loseEarlier(count: number): void;
}

/** How lines are written to the disk. */
export interface TurnOptions {
	onAppend?: OnAppend;
	onPrompt?: (sessionId: string) => void;
	/** Called whenever the waiting lines change. */
	onUnwritten?: (unwritten: Unwritten) => void;
	write?: typeof appendBytes;
	/** Writes a blob that waited for a full disk. */
	writeBlob?: (sessionId: string, text: string) => void;
	/** Bytes of lines and blobs that may wait for the disk. */
	mostBytes?: number;
}

/** Built for one home. Outside `together` every line is written at once. */
export function createTurnTimelines(home: string, options: TurnOptions = {}): TurnTimelines {
	const nothing = () => undefined;
	const {
		onAppend = nothing,
		onPrompt = nothing,
		onUnwritten = nothing,
		writeBlob = nothing,
		write = appendBytes,
		mostBytes,
	} = options;
	let isShort = false;
	const noteUnwritten = (unwritten: Unwritten) => {
		isShort = unwritten.why !== undefined;
		onUnwritten(unwritten);
	};
	const unsaved = new UnwrittenLines(noteUnwritten, writeBlob, mostBytes);
	const files = new TimelineFiles(home);
	const recall = new Recall();
	const waiting = new Map<string, Waiting>();
	/** Timelines opened in this turn. */
	const opened = new Map<string, OpenTimeline | null>();
	/** Why the lines of a job could not be written, by its number. */
	const failures = new Map<number, unknown>();
	/** The number of the current job; undefined if lines are written at once. */
	let job: number | undefined;

	function addEvents(sessionId: string, timeline: OpenTimeline, events: readonly SealedEvent[]): void {
		opened.delete(sessionId);
		const bytes = timelineBytes(events);
		write(timeline.fd, bytes);
		recall.note(sessionId, timeline, bytes.length, events);
		onAppend(sessionId, bytes.length, events.length);
		if (events.some(({ type, source }) => type === 'prompt:submit' && source === 'user')) onPrompt(sessionId);
	}

	const writeUnsaved = (sessionId: string) =>
		unsaved.writeFirst(sessionId, (events) => addEvents(sessionId, files.open(sessionId), events));

	/** Appends after the lines that already wait for the disk. If that fails, they wait too, and the fault is thrown. */
	function store(sessionId: string, events: readonly SealedEvent[]): void {
		try {
			if (isShort) writeUnsaved(sessionId);
			addEvents(sessionId, files.open(sessionId), events);
		} catch (error) {
			if (isSystemError(error)) unsaved.addLines(sessionId, events, error);
			throw error;
		}
	}

	/** Writes a session's lines; if that fails, those of each job separately: repeats are recognised by their id. */
	function flushSession(sessionId: string): void {
		const found = waiting.get(sessionId);
		if (!found) return;
		waiting.delete(sessionId);
		try {
			if (isShort) writeUnsaved(sessionId);
			addEvents(sessionId, found.timeline, [...found.byJob.values()].flat());
		} catch {
			for (const [at, events] of found.byJob) {
				try {
					store(sessionId, events);
				} catch (error) {
					failures.set(at, error);
				}
			}
		}
	}

	function flush(): void {
		for (const sessionId of [...waiting.keys()]) flushSession(sessionId);
	}

	/** A new timeline; if the disk has no space for one, the lines wait. */
	function openFor(sessionId: string, events: readonly SealedEvent[]): OpenTimeline {
		try {
			return files.open(sessionId);
		} catch (error) {
			if (isSystemError(error)) unsaved.addLines(sessionId, events, error);
			throw error;
		}
	}

	function append(sessionId: string, events: readonly SealedEvent[]): void {
		flush();
		if (events.length > 0) store(sessionId, events);
	}

	function openTimeline(sessionId: string): OpenTimeline | null {
		if (job === undefined) return files.openExisting(sessionId);
		const known = opened.get(sessionId);
		if (known !== undefined) return known;
		const timeline = files.openExisting(sessionId);
		opened.set(sessionId, timeline);
		return timeline;
	}

	return {
		append,
		appendLater(sessionId, events) {
			if (job === undefined) return append(sessionId, events);
			const timeline = waiting.get(sessionId)?.timeline ?? openTimeline(sessionId) ?? openFor(sessionId, events);
			opened.set(sessionId, timeline);
			const found = waiting.get(sessionId) ?? { timeline, byJob: new Map(), keys: new Set() };
			waiting.set(sessionId, found);
			found.byJob.set(job, [...(found.byJob.get(job) ?? []), ...events]);
			for (const { id, requestId } of events) found.keys.add(id).add(requestId);
			if (found.keys.size > 2 * MAX_EVENTS || waiting.size > MAX_SESSIONS) flush();
		},
		flush,
		recorded(sessionId, keys) {
			if (keys.some((key) => waiting.get(sessionId)?.keys.has(key))) flushSession(sessionId);
			const timeline = openTimeline(sessionId);
			return timeline ? recall.find(sessionId, timeline, keys) : undefined;
		},
		lines(sessionId, ids) {
			if (ids.some((id) => waiting.get(sessionId)?.keys.has(id))) flushSession(sessionId);
			const timeline = openTimeline(sessionId);
			return timeline ? recall.lines(timeline, ids) : [];
		},
		linesWith(sessionId, text) {
			flushSession(sessionId);
			const timeline = openTimeline(sessionId);
			const written = timeline ? recall.linesWith(timeline, text) : [];
			return [...written, ...unsaved.events(sessionId).filter((event) => eventLine(event).includes(text))];
		},
		hasTimeline: (sessionId) =>
			(opened.get(sessionId) ?? null) !== null || files.has(sessionId) || unsaved.events(sessionId).length > 0,
		together(jobs, unwritten) {
			try {
				const done = jobs.map((run, index) => {
					job = index;
					return run();
				});
				flush();
				job = undefined;
				return done.map((value, position) =>
					failures.has(position) ? unwritten(value, failures.get(position)) : value,
				);
			} finally {
				flush();
				job = undefined;
				opened.clear();
				failures.clear();
			}
		},
		retry() {
			for (const sessionId of unsaved.sessions()) {
				try {
					writeUnsaved(sessionId);
				} catch {}
			}
		},
		addBlob: (sessionId, text, why) => unsaved.addBlob(sessionId, text, why),
		loseEarlier: (count) => unsaved.loseEarlier(count),
		close: () => files.close(),
	};
}

/** The ports of a server, which handles several hooks in one turn of its event loop. */
export type TurnPorts = ReturnType<typeof createNodePorts> & Pick<TurnTimelines, 'together' | 'retry' | 'loseEarlier'>;

/** Whether the system refused a write, which may succeed later. */
const isSystemError = (error: unknown) => error instanceof Error && 'code' in error && typeof error.code === 'string';

/** A state file's lock blocks the event loop, and so every other hook: no longer than one frame. */
export const LOCK_WAIT_MS = 16;

/** Ports whose lines are written together with those of the same turn. */
export function createTurnPorts(
	options: Omit<NodePortsOptions, 'timelines' | 'once' | 'onAppend'> & TurnOptions,
): TurnPorts {
	const timelines = createTurnTimelines(options.home, {
		...options,
		writeBlob: (sessionId, text) => void ports.writeBlob(sessionId, text),
	});
	const ports = createNodePorts({ ...options, timelines });
	/** Settings by project while the hooks of one turn are judged: reading them costs a tenth of a hook. */
	let settings: Map<string, Settings> | undefined;
	return {
		...ports,
		settingsOfTurn(root, read) {
			const found = settings?.get(root) ?? read();
			settings?.set(root, found);
			return found;
		},
		writeBlob(sessionId, text) {
			try {
				return ports.writeBlob(sessionId, text);
			} catch (error) {
				if (!isDiskFault(error)) throw error;
				timelines.addBlob(sessionId, text, error);
				return ports.digest(text);
			}
		},
		together(jobs, unwritten) {
			settings = new Map();
			try {
				return timelines.together(jobs, unwritten);
			} finally {
				settings = undefined;
			}
		},
		retry: timelines.retry,
		loseEarlier: timelines.loseEarlier,
	};
}
