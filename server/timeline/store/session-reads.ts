import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';

/** The last seq of a session. */
export interface SessionHead {
	/** Random; under another one known seq numbers mean nothing. */
	epoch: string;
	seq: number;
}

/** A session as it is at one moment: view and rows know the same events. */
export interface SessionAtOnce {
	epoch: string;
	view: SessionView;
	/** The newest ones, ascending by seq. */
	rows: Row[];
}

/** An event in which something was said, where it lies, and its text. */
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
 * What is known of sessions, for everybody who only reads: out of this machine's index, or out of a hub's database. A
 * session is named as in its address (on a hub `<edge>/<id>`). Nothing is held between two questions: whoever needs
 * answers of one moment asks `snapshot`, and whoever reads on by seq asks `eventsSince`, which notices another epoch.
 */
export interface SessionReads {
	/** A cheap query of a session's position; undefined: no such session. */
	headOf(sessionId: string): Promise<SessionHead | undefined>;
	/** With the newest `limit` rows; undefined where there is no such session. */
	snapshot(sessionId: string, limit: number): Promise<SessionAtOnce | undefined>;
	/** Ascending by seq, `after` exclusive; null when the session has another epoch, or is gone. */
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
	/** The newest `gate:verdict` events of all sessions that deny, the newest first. */
	denials(limit: number): Promise<IndexedEvent[]>;
	/**
	 * Gives `take` the events of all sessions that say every one of `terms` (of `searchTerms`), the newest first, until it
	 * says that it has enough. Comes to an end after a bounded number of events: the answer is the `before` from which the
	 * search goes on, or null where nothing is left.
	 */
	find(
		terms: readonly string[],
		before: number | undefined,
		take: (text: SearchableText) => boolean,
	): Promise<number | null>;
	/**
	 * Lines of the ledger of all sessions, the newest first: those of `since` (ISO) and later that are older than `until`,
	 * from where the page ended that gave `before`.
	 */
	ledger(range: LedgerRange): Promise<{ line: LedgerEntry; place: string }[]>;
}
