import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';

/** The last seq of a session. */
export interface SessionHead {
	/** Random; under another epoch known seq numbers are void. */
	epoch: string;
	seq: number;
}

/** A session at one moment: view and rows contain the same events. */
export interface SessionAtOnce {
	epoch: string;
	view: SessionView;
	/** The newest ones, ascending by seq. */
	rows: Row[];
}

/** An event with text that the search reads, its position, and its text. */
export interface SearchableText {
	pos: number;
	rowKey: string;
	event: IndexedEvent;
	text: string;
}

/** Which part of the ledger is read; `before` is the `place` of a line. */
export interface LedgerRange {
	since?: string | undefined;
	until?: string | undefined;
	before?: string | undefined;
	limit: number;
}

/**
 * What can be read of sessions, from this machine's index or a hub's database; names are as in addresses (`<edge>/<id>` on a
 * hub). Nothing is kept between two calls: `snapshot` is of one moment, and `eventsSince` notices another epoch.
 */
export interface SessionReads {
	/** A cheap query of a session's position; undefined: no such session. */
	headOf(sessionId: string): Promise<SessionHead | undefined>;
	/** With the newest `limit` rows; undefined if there is no such session. */
	snapshot(sessionId: string, limit: number): Promise<SessionAtOnce | undefined>;
	/** Ascending by seq, `after` exclusive; null if the session has another epoch, or is gone. */
	eventsSince(
		sessionId: string,
		range: { epoch: string; after: number; limit: number },
	): Promise<IndexedEvent[] | null>;
	view(sessionId: string): Promise<SessionView | undefined>;
	row(sessionId: string, key: string): Promise<Row | undefined>;
	/** Ascending by seq; `before` and `after` are exclusive. With `before` or neither: the newest ones. */
	rows(sessionId: string, range: { before?: number; after?: number; limit: number }): Promise<Row[]>;
	/** Time of each of these events in ms; undefined if there is none. */
	timesOf(sessionId: string, seqs: readonly number[]): Promise<(number | undefined)[]>;
	/** Ascending by seq, `after` exclusive; `row` keeps the events of one row. */
	events(sessionId: string, range: { after: number; limit: number; row?: string }): Promise<IndexedEvent[]>;
	/** Which of these event ids the session holds. */
	knownIds(sessionId: string, ids: readonly string[]): Promise<Set<string>>;
	/** The newest denying `gate:verdict` events of all sessions, newest first. */
	denials(limit: number): Promise<IndexedEvent[]>;
	/**
	 * Passes events that contain all `terms` (of `searchTerms`) to `take`, newest first, until it has enough. Bounded; returns
	 * the `before` to continue with, null at the end.
	 */
	find(
		terms: readonly string[],
		before: number | undefined,
		take: (text: SearchableText) => boolean,
	): Promise<number | null>;
	/** Lines of all sessions, newest first: since `since` (ISO), older than `until`, after the page that returned `before`. */
	ledger(range: LedgerRange): Promise<{ line: LedgerEntry; place: string }[]>;
}
