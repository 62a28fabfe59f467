import { closeSync } from 'node:fs';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { type FoldedSession, foldLines, type LineItem, neededRows } from '#lib/ingest/fold-lines.ts';
import { emptyView } from '#lib/session/fold.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { Cursor, IndexBatch, TailStore } from '../store/index-store.ts';
import {
	foreignLineId,
	gapOf,
	type LineContext,
	MAX_LINE_BYTES,
	type OpenTimeline,
	openTimeline,
	type ReadPosition,
	readLine,
	readLines,
	tailDigest,
} from './timeline-file.ts';

/** Open files and cached views of the sessions in use. */
const MAX_OPEN = 200;

/** What one transaction of the tail added to a session. */
export interface TailBatch {
	sessionId: string;
	/** The session's epoch: another one means that its file was replaced, or the index rebuilt. */
	epoch: string;
	/** Ascending by seq; under a new epoch they begin again at 1. */
	events: IndexedEvent[];
	rows: Row[];
	view: SessionView;
}

interface SessionReaderOptions {
	sessionsFolder: string;
	index: TailStore;
	proofOf: LineContext['proofOf'];
	/** Called once per session if the timeline is not a regular file. */
	refused: (sessionId: string) => void;
}

/** New lines of a session on their way into the index. */
export interface ReadChunk {
	batch: IndexBatch;
	/** The session's state once the index has the events. */
	hot: ReadSession;
	/** Live readers already have them. */
	isPublished?: boolean;
}

/** Reads timelines for the index, one chunk at a time. Holds all state about each file. */
export function createSessionReader({ sessionsFolder, index, proofOf, refused }: SessionReaderOptions) {
	const cursors = new Map(index.cursors().map((cursor) => [cursor.sessionId, cursor]));
	/** How far a line without an end was searched; only for too long lines. */
	const scanned = new Map<string, number>();
	const files = new LruMap<string, OpenTimeline>(MAX_OPEN, (file) => closeSync(file.fd));
	const hot = new LruMap<string, ReadSession>(MAX_OPEN);

	function forget(sessionId: string) {
		files.delete(sessionId);
		hot.delete(sessionId);
		scanned.delete(sessionId);
		if (cursors.has(sessionId)) index.forget(sessionId);
		cursors.delete(sessionId);
	}

	/** Counts of foreign lines may be ahead of the index. */
	function drop(sessionId: string) {
		hot.delete(sessionId);
	}

	function openFile(sessionId: string): OpenTimeline | undefined {
		const open = files.get(sessionId);
		if (open) return open;
		const file = openTimeline(sessionsFolder, sessionId);
		if (file === 'refused') refused(sessionId);
		if (typeof file === 'string') return;
		files.set(sessionId, file);
		return file;
	}

	/** Whether this is the file that was read up to the cursor, and nobody rewrote it. */
	function isSameFile(file: OpenTimeline, cursor: Cursor): boolean {
		return (
			cursor.inode === file.inode &&
			cursor.device === file.device &&
			tailDigest(file.fd, cursor.offset) === cursor.tailDigest
		);
	}

	/** The file and the position to continue; a replaced file is read from its start. */
	function resume(sessionId: string): { file: OpenTimeline; cursor: Cursor } | undefined {
		const file = openFile(sessionId);
		if (!file) return;
		const { device, inode } = file;
		const cursor = cursors.get(sessionId) ?? {
			sessionId,
			device,
			inode,
			offset: 0,
			tailDigest: tailDigest(file.fd, 0),
		};
		if (isSameFile(file, cursor)) return { file, cursor };
		forget(sessionId);
		return resume(sessionId);
	}

	function session(sessionId: string): ReadSession {
		const found = hot.get(sessionId) ?? loadSession(index, sessionId);
		hot.set(sessionId, found);
		return found;
	}

	function collect(file: OpenTimeline, from: ReadPosition, sessionId: string) {
		const items: LineItem[] = [];
		const addGap = (offset: number, bytes: number, reason: string) =>
			items.push({ gap: gapOf(sessionId, { offset, bytes, reason }) });
		const context: LineContext = {
			sessionId,
			proofOf,
			foreignId: (line) => nameForeignLine(index, session(sessionId), line),
		};
		const read = readLines(file.fd, from, {
			line(line, offset) {
				const content = readLine(line, context);
				if (content.kind === 'event') items.push(content);
				if (content.kind === 'gap') addGap(offset, line.length, content.reason);
			},
			tooLong: (offset, bytes) => addGap(offset, bytes, `a line of more than ${MAX_LINE_BYTES} bytes`),
		});
		return { items, ...read };
	}

	return {
		cursors: cursors as ReadonlyMap<string, Cursor>,
		forget,
		view: (sessionId: string) => hot.get(sessionId)?.view ?? index.view(sessionId),

		/** Reads and folds about one chunk of new lines. It counts as read only after `took`. */
		read(sessionId: string): { chunk?: ReadChunk; more: boolean } {
			const resumed = resume(sessionId);
			if (!resumed) return { more: false };
			const { file, cursor } = resumed;
			const from = { offset: cursor.offset, scanned: scanned.get(sessionId) ?? cursor.offset };
			try {
				const { items, position, more } = collect(file, from, sessionId);
				if (position.scanned > position.offset) scanned.set(sessionId, position.scanned);
				else scanned.delete(sessionId);
				if (position.offset === cursor.offset) return { more };

				const next = { ...cursor, offset: position.offset, tailDigest: tailDigest(file.fd, position.offset) };
				const before = session(sessionId);
				const { batch, lastTs } = ingest(index, before, { items, cursor: next, gapTime: file.birth.toISOString() });
				return { chunk: { batch, hot: { ...before, view: batch.view, lastTs } }, more };
			} catch (error) {
				drop(sessionId);
				throw error;
			}
		},

		/** The index has the chunk: reading continues after it. */
		noteIndexed({ batch: { sessionId, cursor }, hot: after }: ReadChunk) {
			cursors.set(sessionId, cursor);
			hot.set(sessionId, after);
		},

		/** The batch to publish; none without events, or without the session's epoch in the index. */
		batchOf({ batch: { sessionId, events, rows, view } }: ReadChunk): TailBatch | undefined {
			const epoch = index.epochOf(sessionId);
			if (events.length === 0 || epoch === undefined) return;
			return { sessionId, epoch, events: events.map(({ event }) => event), rows, view };
		},

		/** The index lacks the last chunk: it is read again. */
		drop,

		/** The index is empty: everything is read again. */
		restart() {
			for (const known of [cursors, scanned, files, hot]) known.clear();
		},

		close() {
			files.clear();
		},
	};
}

/** Cached state of a session between two reads, which the index can restore. */
interface ReadSession extends FoldedSession {
	/** Number of foreign lines with the same bytes, by the id of the first. */
	foreignLines: Map<string, number>;
}

/** With more different foreign lines, their counts are read from the index again. */
const MAX_FOREIGN_COUNTS = 10_000;

/** Loads a session's state from the index. */
export function loadSession(index: TailStore, sessionId: string): ReadSession {
	const view = index.view(sessionId) ?? emptyView(sessionId);
	const [last] = index.events(sessionId, { after: view.seq - 1, limit: 1 });
	return { view, lastTs: last?.ts, foreignLines: new Map() };
}

/** Names a line without an id: the n-th of its kind in the session. */
function nameForeignLine(index: TailStore, hot: ReadSession, line: Buffer): string {
	const { sessionId } = hot.view;
	const first = foreignLineId(sessionId, line, 0);
	const nth = hot.foreignLines.get(first) ?? countIndexed(index, sessionId, line);
	if (hot.foreignLines.size >= MAX_FOREIGN_COUNTS) hot.foreignLines.clear();
	hot.foreignLines.set(first, nth + 1);
	return nth === 0 ? first : foreignLineId(sessionId, line, nth);
}

/** Number of equal lines in the index: numbers have no gaps, so a binary search finds it. */
function countIndexed(index: TailStore, sessionId: string, line: Buffer): number {
	const holds = (nth: number) => {
		const id = foreignLineId(sessionId, line, nth);
		return index.knownIds(sessionId, [id]).has(id);
	};
	if (!holds(0)) return 0;
	let held = 0;
	let free = 1;
	while (holds(free)) {
		held = free;
		free *= 2;
	}
	while (free - held > 1) {
		const middle = Math.floor((held + free) / 2);
		if (holds(middle)) held = middle;
		else free = middle;
	}
	return free;
}

/** What the index must write for new lines, and the time of the last; queries everything that the fold needs. */
export function ingest(
	index: Pick<TailStore, 'knownIds' | 'rowsOf'>,
	hot: FoldedSession,
	{ cursor, ...lines }: { items: readonly LineItem[]; cursor: Cursor; gapTime: string },
): { batch: IndexBatch; lastTs: string | undefined } {
	const { sessionId } = hot.view;
	const { ids, rowKeys } = neededRows(hot.view, lines.items);
	const base = { known: index.knownIds(sessionId, ids), rows: index.rowsOf(sessionId, rowKeys) };
	const { folded, lastTs } = foldLines(base, hot, lines);
	return { batch: { sessionId, cursor, ...folded }, lastTs };
}
