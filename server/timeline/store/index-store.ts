import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { FoldedLines } from '#lib/ingest/fold-lines.ts';
import type { LedgerRange, SearchableText, SessionReads } from './session-reads.ts';

/** How far a timeline file has been read, and what is needed to notice that it was replaced. */
export interface Cursor {
	sessionId: string;
	device: number;
	inode: number;
	/** Bytes consumed, always at the end of a whole line. */
	offset: number;
	/** SHA-256 of the last bytes before `offset`, to notice a rewrite in place. */
	tailDigest: string;
}

/** What one read of the tail adds to a session. */
export interface IndexBatch extends Omit<FoldedLines, 'reachedBack'> {
	sessionId: string;
	cursor: Cursor;
}

/**
 * The index over this machine's timelines; all calls are synchronous. It may be deleted at any time, and is rebuilt under other
 * epochs.
 */
export interface TailStore {
	/** Random; changes when a session was forgotten or the index rebuilt: lists must be read again. */
	readonly epoch: string;
	/** Random, drawn when a session is first written; undefined if the index does not have it. */
	epochOf(sessionId: string): string | undefined;
	cursors(): Cursor[];
	/** Writes batches, at most one per session, in one transaction: all, or none if it throws. */
	write(...batches: IndexBatch[]): void;
	/** Which of these event ids the session already holds (de-duplication). */
	knownIds(sessionId: string, ids: readonly string[]): Set<string>;
	view(sessionId: string): SessionView | undefined;
	views(): SessionView[];
	/** Each of these rows; undefined if there is none. */
	rowsOf(sessionId: string, keys: readonly string[]): Map<string, Row | undefined>;
	/** Ascending by seq, `after` exclusive; `row` keeps the events of one row. */
	events(sessionId: string, range: { after: number; limit: number; row?: string }): IndexedEvent[];
	/** Forgets a session (its file is gone or was replaced) so that it can be read again from the start. */
	forget(sessionId: string): void;
	close(): void;
}

/** The index with all queries of readers (`SessionReads`), which use it through `sessionReadsOf`. */
export interface IndexStore extends TailStore {
	row(sessionId: string, key: string): Row | undefined;
	rows(sessionId: string, range: { before?: number; after?: number; limit: number }): Row[];
	timeOf(sessionId: string, seq: number): number | undefined;
	denials(limit: number): IndexedEvent[];
	find(terms: readonly string[], before: number | undefined, take: (text: SearchableText) => boolean): number | null;
	ledger(range: LedgerRange): { line: LedgerEntry; place: string }[];
}

/** Read side of the index. All reads within one synchronous block see the same state. */
export function sessionReadsOf(index: IndexStore): SessionReads {
	return {
		async headOf(sessionId) {
			const epoch = index.epochOf(sessionId);
			const seq = index.view(sessionId)?.seq;
			return epoch === undefined || seq === undefined ? undefined : { epoch, seq };
		},
		async snapshot(sessionId, limit) {
			const epoch = index.epochOf(sessionId);
			const view = index.view(sessionId);
			return epoch === undefined || !view ? undefined : { epoch, view, rows: index.rows(sessionId, { limit }) };
		},
		eventsSince: async (sessionId, { epoch, ...range }) =>
			index.epochOf(sessionId) === epoch ? index.events(sessionId, range) : null,
		view: async (sessionId) => index.view(sessionId),
		row: async (sessionId, key) => index.row(sessionId, key),
		rows: async (sessionId, range) => index.rows(sessionId, range),
		timesOf: async (sessionId, seqs) => seqs.map((seq) => index.timeOf(sessionId, seq)),
		events: async (sessionId, range) => index.events(sessionId, range),
		knownIds: async (sessionId, ids) => index.knownIds(sessionId, ids),
		denials: async (limit) => index.denials(limit),
		find: async (terms, before, take) => index.find(terms, before, take),
		ledger: async (range) => index.ledger(range),
	};
}
