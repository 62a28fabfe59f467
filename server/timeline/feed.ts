import type { Topic } from '#lib/contract/realtime/wire.ts';
import type { SessionCounts, SessionSummary, SessionsPage } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { PageRequest } from '#lib/session/session-page.ts';
import type { BatchMoment } from './tail/tail.ts';

export interface FeedBatch {
	sessionId: string;
	/** Under another epoch, known seq numbers are void. */
	epoch: string;
	head: number;
	/** Ascending by seq up to `head`, without holes; empty if only the position is known. */
	events: readonly IndexedEvent[];
	/** The session's line in lists at `now` (ms). */
	summary?(now: number): SessionSummary;
}

/** Which part of the list: a page, or with `first` the initial one (`firstPageOfSessions`). */
export type ListRequest = PageRequest & { first?: boolean };

/** Changes of sessions, for subscribers: from this machine's tail, or from a hub's hints. */
export interface Feed {
	/** At `stored`, the default, the store has the batch. */
	onBatch(listener: (batch: FeedBatch) => void, when?: BatchMoment): () => void;
	/** An unwatched topic need not be reported. Returns the function that ends it. */
	watch(topic: Topic): () => void;
	summaries(request: ListRequest): Promise<SessionsPage>;
	/** Cheap enough to call after every change. */
	counts(zone: number): Promise<SessionCounts>;
	/** Changes if sessions left the list or began again: it must be read from its first page. */
	listEpoch(): string;
}
