import { Recall } from '#hooks-bridge/disk/recall.ts';
import { appendBytes, type OpenTimeline, TimelineFiles, timelineBytes } from '#hooks-bridge/disk/timeline-files.ts';
import type { OnAppend, TimelinePort } from '#hooks-bridge/disk/timeline-port.ts';
import { createNodePorts, type NodePortsOptions } from '#hooks-bridge/node/node-ports.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';

/** Fewer than the timelines that are kept open, so that none is closed with lines waiting for it. */
const MOST_SESSIONS = 32;
const MOST_EVENTS = 500;

/** Lines of one session that wait for their write, by the number of the job that told them. */
interface Waiting {
	timeline: OpenTimeline;
	told: Map<number, SealedEvent[]>;
	/** Ids and request ids among them. */
	keys: Set<unknown>;
}

/** Timelines that write what several hooks tell in one turn together: one look and one write a session. */
export interface TurnTimelines extends TimelinePort {
	/**
	 * Does the jobs, one after the other, and gives what they gave once their lines are on disk. Of a job whose lines could
	 * not be written it gives what `unwritten` makes of it: nothing is done again.
	 */
	together<T>(jobs: readonly (() => T)[], unwritten: (done: T, error: unknown) => T): T[];
}

/** Built for one home. Outside `together` every line is written when it is told. */
export function createTurnTimelines(
	home: string,
	onAppend: OnAppend = () => undefined,
	write: typeof appendBytes = appendBytes,
): TurnTimelines {
	const files = new TimelineFiles(home);
	const recall = new Recall();
	const waiting = new Map<string, Waiting>();
	/** What was looked at in this turn. */
	const looked = new Map<string, OpenTimeline | null>();
	/** Why the lines of a job could not be written, by its number. */
	const failures = new Map<number, unknown>();
	/** The number of the job at work; undefined where lines are written at once. */
	let job: number | undefined;

	function put(sessionId: string, timeline: OpenTimeline, events: readonly SealedEvent[]): void {
		looked.delete(sessionId);
		const bytes = timelineBytes(events);
		write(timeline.fd, bytes);
		recall.note(sessionId, timeline, bytes.length, events);
		onAppend(sessionId, bytes.length, events.length);
	}

	/** Writes what waits of a session; where that fails, the lines of each job by themselves: repeats are known by their id. */
	function flushSession(sessionId: string): void {
		const found = waiting.get(sessionId);
		if (!found) return;
		waiting.delete(sessionId);
		try {
			put(sessionId, found.timeline, [...found.told.values()].flat());
		} catch {
			for (const [at, events] of found.told) {
				try {
					put(sessionId, files.open(sessionId), events);
				} catch (error) {
					failures.set(at, error);
				}
			}
		}
	}

	function flush(): void {
		for (const sessionId of [...waiting.keys()]) flushSession(sessionId);
	}

	function append(sessionId: string, events: readonly SealedEvent[]): void {
		flush();
		if (events.length > 0) put(sessionId, files.open(sessionId), events);
	}

	function look(sessionId: string): OpenTimeline | null {
		if (job === undefined) return files.openExisting(sessionId);
		const known = looked.get(sessionId);
		if (known !== undefined) return known;
		const timeline = files.openExisting(sessionId);
		looked.set(sessionId, timeline);
		return timeline;
	}

	return {
		append,
		appendLater(sessionId, events) {
			if (job === undefined) return append(sessionId, events);
			const timeline = waiting.get(sessionId)?.timeline ?? look(sessionId) ?? files.open(sessionId);
			looked.set(sessionId, timeline);
			const found = waiting.get(sessionId) ?? { timeline, told: new Map(), keys: new Set() };
			waiting.set(sessionId, found);
			found.told.set(job, [...(found.told.get(job) ?? []), ...events]);
			for (const { id, requestId } of events) found.keys.add(id).add(requestId);
			if (found.keys.size > 2 * MOST_EVENTS || waiting.size > MOST_SESSIONS) flush();
		},
		flush,
		recorded(sessionId, keys) {
			if (keys.some((key) => waiting.get(sessionId)?.keys.has(key))) flushSession(sessionId);
			const timeline = look(sessionId);
			return timeline ? recall.find(sessionId, timeline, keys) : undefined;
		},
		lines(sessionId, ids) {
			if (ids.some((id) => waiting.get(sessionId)?.keys.has(id))) flushSession(sessionId);
			const timeline = look(sessionId);
			return timeline ? recall.lines(timeline, ids) : [];
		},
		linesWith(sessionId, text) {
			flushSession(sessionId);
			const timeline = look(sessionId);
			return timeline ? recall.linesWith(timeline, text) : [];
		},
		hasTimeline: (sessionId) => (looked.get(sessionId) ?? null) !== null || files.has(sessionId),
		together(jobs, unwritten) {
			try {
				const done = jobs.map((run, at) => {
					job = at;
					return run();
				});
				flush();
				job = undefined;
				return done.map((value, at) => (failures.has(at) ? unwritten(value, failures.get(at)) : value));
			} finally {
				flush();
				job = undefined;
				looked.clear();
				failures.clear();
			}
		},
		close: () => files.close(),
	};
}

/** The ports of a server, which handles several hooks in one turn of its event loop. */
export type TurnPorts = ReturnType<typeof createNodePorts> & Pick<TurnTimelines, 'together'>;

/** A state file's lock blocks the event loop, and so every other hook: no longer than one frame. */
export const LOCK_WAIT_MS = 16;

/** Ports whose lines are written together with those of the same turn. */
export function createTurnPorts(options: Omit<NodePortsOptions, 'timelines' | 'once'>): TurnPorts {
	const timelines = createTurnTimelines(options.home, options.onAppend);
	return { ...createNodePorts({ ...options, timelines }), together: timelines.together };
}
