import type { SessionSummary, SessionsPage } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubReach } from '#lib/hub/may.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { FoldBase, FoldedLines } from '#lib/ingest/fold-lines.ts';
import type { PageWish } from '#lib/session/session-page.ts';
import type { SessionReads } from './session-reads.ts';

/** Where a session stands at the hub. */
export interface HubSession extends HubSessionName {
	/** Its number in the database: another one after its file was replaced, or when it moves to another partition. */
	key: number;
	/** Raised each time that its file was replaced at the edge; the former ones stay. */
	gen: number;
	/** Bytes of its timeline that are committed, always whole lines: the only cursor there is, and the fence. */
	offset: number;
	/** SHA-256 of the last bytes before `offset` (at most 256 of them), to notice that the edge's file is another. */
	tailDigest: string;
	/** That of the last event. */
	seq: number;
	epoch: string;
	/** The fold's version that wrote it last; a program with an older fold must not go on with it. */
	fold: number;
	/** The partition in which its events lie: the day (since 1970) on which it began there. */
	part: number;
	/** The seq before its first event there; those before it lie in former partitions, or in the object store. */
	base: number;
}

/** A session as a replica takes it up: an older view, and the events that have come since (`foldAgain`). */
export interface HubCheckpoint {
	session: HubSession;
	/** Undefined before the first one was written. */
	view: SessionView | undefined;
	/** Ascending by seq, all after the view's. */
	events: IndexedEvent[];
	/** `ts` of the session's last event. */
	lastTs: string | undefined;
}

/** What one range of a timeline comes to. */
export interface HubRange extends FoldedLines {
	key: number;
	/** Where the range begins; it is written only while this is the stored offset. */
	from: number;
	/** The offset afterwards. */
	to: number;
	/** SHA-256 of the last bytes before `to`. */
	tailDigest: string;
	/** The session's line in lists, made of the view after the range. */
	summary: SessionSummary;
	/**
	 * Whether `view` is written with it. At 45 KB a view costs as much as 8 events, so: every 256 events, after 60 s, when
	 * a replica lets the session go, and always where `reachedBack` says that events cannot be folded again without it.
	 */
	checkpoint: boolean;
	/** It is on the disk once it is committed; without it a crash may take it back, with all that came after it. */
	durably?: boolean | undefined;
}

/**
 * What became of a range. `committed`: all of it stands, or will after a crash together with everything before it; `listed`
 * where its session's line of the list was written with it.
 * `lost-race`: the offset is not `from`, or a newer fold has written, so that nothing was changed: the session is to be
 * loaded again. `quarantined`: the database refuses what is in it (nothing was changed, and no try will change that);
 * whoever wrote it tells a gap in its place.
 */
export type AppendResult =
	| { kind: 'committed'; listed: boolean }
	| { kind: 'lost-race' }
	| { kind: 'quarantined'; reason: string };

/** Whose sessions somebody may read. Every read of a hub has one. */
export type HubScope = HubReach;

/** An edge has as many sessions as there may be. */
export class NoRoom extends Error {}

/**
 * The sessions of many machines in one database that many replicas write without knowing of each other: a range is
 * written by compare-and-swap of the session's offset, in the transaction of its events. No other lock, and no lease.
 */
export interface HubStore {
	/** The version of its fold: what a newer one has written is not its to go on with. */
	readonly fold: number;
	/** Of one edge: no more are begun than these, but for those that are archived. */
	readonly mostSessions: number;
	/**
	 * The newest generation of each of these, in their order; one that the hub has not seen begins at 0. Rejects with `NoRoom`
	 * where an edge would have more than there may be: then none of its new ones has begun.
	 */
	open(names: readonly HubSessionName[]): Promise<HubSession[]>;
	/** Begins the next generation at 0, since the edge's file is another than before; the former stays and says so. */
	replace(session: HubSession): Promise<HubSession>;
	/** What a replica needs to go on with a session; it may have another number by now. */
	load(key: number): Promise<HubCheckpoint | undefined>;
	/**
	 * Moves a session to today's partition where it has been in its own too long: seq and offset go on under another number.
	 * Gives it as it was where it is not due, and undefined where somebody else has written it or moved it meanwhile.
	 */
	roll(session: HubSession, at: Pick<HubCheckpoint, 'lastTs'> & { view: SessionView }): Promise<HubSession | undefined>;
	/** What `foldLines` needs to have fetched for these, in their order, by one question for all of them. */
	fetch(asks: readonly { key: number; ids: readonly string[]; rowKeys: readonly string[] }[]): Promise<FoldBase[]>;
	/**
	 * Writes ranges, at most one of each session; the answers are in their order. One that fails keeps no other from being
	 * written. Rejects only where the database cannot be asked: then nothing is known, and each is loaded again.
	 */
	append(ranges: readonly HubRange[]): Promise<AppendResult[]>;
	/** Writes a view alone, as a replica does that lets the session go; nothing where a newer one is there. */
	checkpoint(key: number, view: SessionView): Promise<void>;
	/** What somebody with this scope may read; all else is as if it were not there. */
	reads(scope: HubScope): SessionReads;
	/** A page of the list, each session named `<edge>/<id>`. */
	summaries(scope: HubScope, wish: PageWish): Promise<SessionsPage>;
	close(): Promise<void>;
}

/** A session goes on from its archive, which is read beside: nobody who writes waits for the object store. */
export class ArchiveAwaited extends Error {}
