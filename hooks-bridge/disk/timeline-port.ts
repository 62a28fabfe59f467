import type { Ports, RecordedAnswer, SealedEvent } from '../ports/ports.ts';
import { appendBytes, Recall, TimelineFiles, timelineBytes } from './timeline-files.ts';

/** Appends a session's events and reads earlier ones. */
export type TimelinePort = Pick<
	Ports,
	'append' | 'appendLater' | 'recorded' | 'lines' | 'linesWith' | 'hasTimeline'
> & {
	flush?(): void;
	close(): void;
};

/** Called after each write, so that the tail need not wait for a notice of the file system. */
export type OnAppend = (sessionId: string, bytes: number, lines: number) => void;

/** The timelines of a home, each line written at once. Session ids must be safe. `once`: see `Recall`. */
export function createTimelinePort(home: string, onAppend?: OnAppend, once = false): TimelinePort {
	const files = new TimelineFiles(home);
	const recall = new Recall(once);
	return {
		append(sessionId: string, events: readonly SealedEvent[]) {
			if (events.length === 0) return;
			const timeline = files.open(sessionId);
			const bytes = timelineBytes(events);
			appendBytes(timeline.fd, bytes);
			recall.note(sessionId, timeline, bytes.length, events);
			onAppend?.(sessionId, bytes.length, events.length);
		},
		recorded(sessionId: string, keys: readonly string[]): RecordedAnswer | undefined {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.find(sessionId, timeline, keys) : undefined;
		},
		lines(sessionId: string, ids: readonly string[]) {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.lines(timeline, ids) : [];
		},
		linesWith(sessionId: string, text: string) {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.linesWith(timeline, text) : [];
		},
		hasTimeline: (sessionId) => files.has(sessionId),
		close: () => files.close(),
	};
}
