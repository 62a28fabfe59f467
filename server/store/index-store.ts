import type { LedgerEntry } from '#lib/contract/decisions.ts';
import type { FoldedLines } from '#lib/ingest/fold-lines.ts';
import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';
import type { Said } from './said-index.ts';

/** How far a timeline file has been read, and enough to notice that it was replaced. */
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

/** Which part of the ledger is read; `before` is the `place` of a line. */
export interface LedgerRange {
	since?: string | undefined;
	until?: string | undefined;
	before?: string | undefined;
	limit: number;
}

/**
 * The rebuildable index over all timelines. SQLite now, Postgres later, one contract test for both.
 * Everything here may be deleted at any time and comes back from the files with a new epoch.
 */
export interface IndexStore {
	/** Random; changes whenever the index was rebuilt, so that old seq numbers are not trusted. */
	readonly epoch: string;
	cursors(): Cursor[];
	/** Writes batches, at most one of each session, in one transaction: all or, where it throws, none. */
	write(...batches: IndexBatch[]): void;
	/** Which of these event ids the session already holds (de-duplication). */
	knownIds(sessionId: string, ids: readonly string[]): Set<string>;
	view(sessionId: string): SessionView | undefined;
	views(): SessionView[];
	row(sessionId: string, key: string): Row | undefined;
	/** Each of these rows, undefined where there is none. */
	rowsOf(sessionId: string, keys: readonly string[]): Map<string, Row | undefined>;
	/** Ascending by seq; `before` and `after` are exclusive. With `before` or neither: the newest ones. */
	rows(sessionId: string, range: { before?: number; after?: number; limit: number }): Row[];
	/** When an event happened, in ms, by its timeline; undefined where there is none. */
	timeOf(sessionId: string, seq: number): number | undefined;
	/** Ascending by seq, `after` exclusive; `row` keeps the events of one row. */
	events(sessionId: string, range: { after: number; limit: number; row?: string }): IndexedEvent[];
	/** The newest `gate:verdict` events of all sessions that deny, the newest first. */
	denials(limit: number): IndexedEvent[];
	/**
	 * Gives `take` the events of all sessions that say every one of `terms` (of `searchTerms`), the newest first, until it
	 * says that it has enough. Comes to an end after a bounded number of events: the answer is the `before` from which the
	 * search goes on, or null where nothing is left.
	 */
	find(terms: readonly string[], before: number | undefined, take: (said: Said) => boolean): number | null;
	/**
	 * Lines of the ledger of all sessions, the newest first: those of `since` (ISO) and later that are older than `until`,
	 * from where the page ended that gave `before`.
	 */
	ledger(range: LedgerRange): { line: LedgerEntry; place: string }[];
	/** Forgets a session (its file is gone or was replaced) so that it can be read again from the start. */
	forget(sessionId: string): void;
	close(): void;
}
