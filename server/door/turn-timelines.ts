import { appendBytes, timelineBytes } from '#hooks-bridge/disk/append.ts';
import { Recall } from '#hooks-bridge/disk/recall.ts';
import { type OpenTimeline, TimelineFiles } from '#hooks-bridge/disk/timeline-files.ts';
import type { OnAppend, TimelinePort } from '#hooks-bridge/disk/timeline-port.ts';
import type { SealedEvent } from '#hooks-bridge/engine/ports.ts';

/** Fewer than the timelines that are kept open, so that none is closed with lines waiting for it. */
const MOST_SESSIONS = 32;
const MOST_EVENTS = 500;

/** Lines of one session that wait for their write. */
interface Waiting {
	timeline: OpenTimeline;
	events: SealedEvent[];
	/** Ids and request ids among them. */
	keys: Set<unknown>;
	/** Numbers of the jobs that told them. */
	jobs: Set<number>;
}

/** Timelines that write what several hooks tell in one turn together: one look and one write a session. */
export interface TurnTimelines extends TimelinePort {
	/**
	 * Does the jobs, one after the other, and gives what they gave once their lines are on disk. A job whose lines could
	 * not be written is done again by itself, with the failure in its own hands.
	 */
	together<T>(jobs: readonly (() => T)[]): T[];
	/** Does what must find every line on disk, and whose own lines must be there at once. */
	withAll<T>(effect: () => T): T;
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
	const failed = new Set<number>();
	/** Keys of lines that may be written in part: they say nothing of what was answered. */
	const torn = new Set<unknown>();
	/** The number of the job at work; undefined where lines are written at once. */
	let job: number | undefined;

	function put(sessionId: string, timeline: OpenTimeline, events: readonly SealedEvent[]): void {
		const bytes = timelineBytes(events);
		write(timeline.fd, bytes);
		recall.note(sessionId, timeline, bytes.length, events);
		onAppend(sessionId, bytes.length, events.length);
	}

	/** Writes what waits of a session. Throws only where the job at work told some of it. */
	function flush(sessionId: string): void {
		const found = waiting.get(sessionId);
		if (!found) return;
		waiting.delete(sessionId);
		looked.delete(sessionId);
		try {
			put(sessionId, found.timeline, found.events);
		} catch (error) {
			for (const told of found.jobs) failed.add(told);
			for (const key of found.keys) torn.add(key);
			if (job !== undefined && found.jobs.has(job)) throw error;
		}
	}

	function flushAll(): void {
		for (const sessionId of [...waiting.keys()]) flush(sessionId);
	}

	function look(sessionId: string): OpenTimeline | null {
		if (job === undefined) return files.openExisting(sessionId);
		const known = looked.get(sessionId);
		if (known !== undefined) return known;
		const timeline = files.openExisting(sessionId);
		looked.set(sessionId, timeline);
		return timeline;
	}

	function wait(sessionId: string, events: readonly SealedEvent[], at: number): void {
		const known = waiting.get(sessionId);
		const timeline = known?.timeline ?? look(sessionId) ?? files.open(sessionId);
		looked.set(sessionId, timeline);
		const found = known ?? { timeline, events: [], keys: new Set(), jobs: new Set() };
		waiting.set(sessionId, found);
		for (const event of events) {
			found.events.push(event);
			found.keys.add(event.id).add(event.requestId);
		}
		found.jobs.add(at);
		if (found.events.length > MOST_EVENTS || waiting.size > MOST_SESSIONS) flushAll();
	}

	return {
		append(sessionId, events) {
			if (events.length === 0) return;
			if (job === undefined) put(sessionId, files.open(sessionId), events);
			else wait(sessionId, events, job);
		},
		recorded(sessionId, keys) {
			const found = waiting.get(sessionId);
			if (found && keys.some((key) => found.keys.has(key))) flush(sessionId);
			if (keys.some((key) => torn.has(key))) return undefined;
			const timeline = look(sessionId);
			return timeline ? recall.find(sessionId, timeline, keys) : undefined;
		},
		lines(sessionId, ids) {
			const found = waiting.get(sessionId);
			if (found && ids.some((id) => found.keys.has(id))) flush(sessionId);
			const timeline = look(sessionId);
			return timeline ? recall.lines(timeline, ids) : [];
		},
		linesWith(sessionId, text) {
			flush(sessionId);
			const timeline = look(sessionId);
			return timeline ? recall.linesWith(timeline, text) : [];
		},
		hasTimeline: (sessionId) => (looked.get(sessionId) ?? null) !== null || files.has(sessionId),
		together(jobs) {
			try {
				const done = jobs.map((run, at) => {
					job = at;
					return run();
				});
				job = undefined;
				flushAll();
				return done.map((value, at) => {
					const again = failed.has(at) ? jobs[at] : undefined;
					return again ? again() : value;
				});
			} finally {
				job = undefined;
				flushAll();
				looked.clear();
				failed.clear();
				torn.clear();
			}
		},
		withAll(effect) {
			const at = job;
			if (at === undefined) return effect();
			flushAll();
			looked.clear();
			job = undefined;
			try {
				return effect();
			} finally {
				job = at;
				looked.clear();
			}
		},
		close: () => files.close(),
	};
}
