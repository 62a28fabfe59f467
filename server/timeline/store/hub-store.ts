import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { FoldedLines } from '#lib/ingest/fold-lines.ts';

/** The position of a session at the hub. */
export interface HubSession extends HubSessionName {
	/** Its number in the database; a new one after its file was replaced, or when it moves to another partition. */
	key: number;
	/** Increased each time its file was replaced at the edge; former generations stay. */
	gen: number;
	/** Committed bytes of its timeline, always whole lines: the only cursor, and the fence of writes. */
	offset: number;
	/** SHA-256 of the last bytes before `offset` (at most 256), to notice that the edge's file was replaced. */
	tailDigest: string;
	/** The seq of the last event. */
	seq: number;
	epoch: string;
	/** The version of the fold that wrote it last; a program with an older fold must not continue it. */
	fold: number;
	/** The partition of its events: the day (since 1970) on which it began there. */
	part: number;
	/** The seq before its first event in this partition; earlier events are in former partitions, or in the object store. */
	base: number;
}

/** What a replica needs to continue a session: an older view, and the events since (`foldAgain`). */
export interface HubCheckpoint {
	session: HubSession;
	/** Undefined before the first one was written. */
	view: SessionView | undefined;
	/** Ascending by seq, all after the view's. */
	events: IndexedEvent[];
	/** `ts` of the session's last event. */
	lastTs: string | undefined;
}

/** The result of folding one range of a timeline. */
export interface HubRange extends FoldedLines {
	key: number;
	/** Where the range begins; it is written only if this is the stored offset. */
	from: number;
	/** The offset afterwards. */
	to: number;
	/** SHA-256 of the last bytes before `to`. */
	tailDigest: string;
	/** The session's line in lists, from the view after the range. */
	summary: SessionSummary;
	/**
	 * Whether `view` is written with it. At 45 KB a view costs as much as 8 events, so it is written every 256 events, after 60
	 * s, when a replica releases the session, and always if `reachedBack` says that events cannot be folded again without it.
	 */
	checkpoint: boolean;
	/** Synced to the disk before it counts as committed; otherwise a crash may lose it and everything after it. */
	durably?: boolean | undefined;
}

/**
 * What became of a range. `committed`: stored, and after a crash if all before it is; `listed` if the list's line was written
 * too. `lost-race`: another offset or a newer fold, nothing was changed, load again. `quarantined`: the database refuses the
 * content for good, and the writer stores a gap.
 */
export type AppendResult =
	| { kind: 'committed'; listed: boolean }
	| { kind: 'lost-race' }
	| { kind: 'quarantined'; reason: string };

/** The edge has reached its limit of sessions. */
export class NoRoom extends Error {}

/** A session continues from its archive, which is read separately: writers do not wait for the object store. */
export class ArchiveAwaited extends Error {}

/** The hub's database was not reached, or the connection broke during a query: the outcome is unknown; retry. */
export class DatabaseAway extends Error {
	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}
