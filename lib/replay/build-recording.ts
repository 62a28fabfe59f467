import type { Chapter, ChapterKind, Part, SessionOutline } from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { SessionFold } from '../session/session-fold.ts';
import { samplePoints } from '../timeline/density.ts';
import { chapterOf } from './chapters.ts';
import { collectBusySpans } from './collect-busy-spans.ts';
import { instantOf, PART_EVENTS } from './recording.ts';

/** Most marks of one kind of chapter, since an axis has fewer pixels. */
const MAX_MARKS = 1_000;

/** Receives a recording while it is built. */
export interface RecordingSink {
	/** The next part, the time of its last event, and each row that its events changed, as it is after them. */
	addPart(part: Part, endAt: number, rows: readonly Row[]): void;
	/** A row as it is after the added parts; undefined if none has it. */
	findRow(key: string): Row | undefined;
	addChapter(chapter: Chapter): void;
}

/**
 * Folds a session's events once, from the first to the last, and cuts them into parts that can each be folded separately: with
 * the view before them and the older rows that their events change. `add` takes the next event.
 */
export function buildRecording(sessionId: string, sink: RecordingSink) {
	let at: number | null = null;
	let first: number | null = null;
	let changed = new Map<string, Row>();
	let recalled = new Map<string, Row>();
	const session = new SessionFold(sessionId, { findRow, mostRows: 0 });
	let part: Part = { after: 0, startAt: null, view: session.view, recalled: [], events: [] };
	const times: number[] = [];
	const busy = collectBusySpans();
	const chapters = new Map<ChapterKind, { count: number; marks: number[]; every: number }>();

	function findRow(key: string): Row | undefined {
		const own = changed.get(key) ?? recalled.get(key);
		if (own) return own;
		const older = sink.findRow(key);
		if (older) recalled.set(key, older);
		return older;
	}

	function cut(): void {
		if (part.events.length === 0 || at === null) return;
		sink.addPart({ ...part, recalled: [...recalled.values()] }, at, [...changed.values()]);
		const { view } = session;
		part = { after: view.seq, startAt: at, view, recalled: [], events: [] };
		changed = new Map();
		recalled = new Map();
	}

	function note(chapter: Chapter): void {
		sink.addChapter(chapter);
		const kept = chapters.get(chapter.kind) ?? { count: 0, marks: [], every: 1 };
		chapters.set(chapter.kind, kept);
		if (kept.count % kept.every === 0) kept.marks.push(chapter.at);
		kept.count += 1;
		if (kept.marks.length < 2 * MAX_MARKS) return;
		kept.every *= 2;
		kept.marks = kept.marks.filter((_, index) => index % 2 === 0);
	}

	return {
		add(event: IndexedEvent): void {
			at = instantOf(event, at);
			first ??= at;
			times.push(at);
			busy.add(at, session.view);
			const chapter = chapterOf(event, at, session.view);
			if (chapter) note(chapter);
			for (const row of session.add(event).rows) changed.set(row.key, row);
			part.events.push(event);
			if (part.events.length === PART_EVENTS) cut();
		},
		/** Adds the last part and gives the outline; null without events. */
		end(): SessionOutline | null {
			cut();
			if (first === null || at === null) return null;
			const { view } = session;
			return {
				sessionId,
				events: view.seq,
				from: first,
				to: at,
				busy: busy.spans(),
				points: samplePoints(view.seq, (seq) => times[seq - 1]),
				runs: [...(view.stageRuns ?? [])],
				chapters: Object.fromEntries(Array.from(chapters, ([kind, { count }]) => [kind, count])),
				marks: Array.from(chapters, ([kind, { marks }]) => marks.map((mark) => ({ kind, at: mark }))).flat(),
			};
		},
	};
}
