import type { Topic } from '#lib/contract/realtime/wire.ts';
import type { SessionCounts, SessionSummary, SessionsPage } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { PageWish } from '#lib/session/session-page.ts';

/** What is new of a session: it can be read before anybody is told. */
export interface FeedBatch {
	sessionId: string;
	/** Another one than before: what was known of the session's seq numbers means nothing any more. */
	epoch: string;
	/** The newest seq. */
	head: number;
	/** Ascending by seq up to `head`, without holes; none where whoever tells only knows how far the session is. */
	events: readonly IndexedEvent[];
	/** The session's line in lists, for a clock at `now` (ms); absent where only the session is told of. */
	summary?(now: number): SessionSummary;
}

/** Which part of the list: a page, or with `first` the one that a reader begins with (`firstPageOfSessions`). */
export type ListWish = PageWish & { first?: boolean };

/** What happens to sessions, for everybody who follows them: from this machine's tail, or from a hub's hints. */
export interface Feed {
	/** Gives the function that ends the subscription. */
	onBatch(listener: (batch: FeedBatch) => void): () => void;
	/** What nobody watches need not be told of. A topic is watched once at a time; the answer ends it. */
	watch(topic: Topic): () => void;
	summaries(wish: ListWish): Promise<SessionsPage>;
	/** As those of a page; cheap enough to be asked after every change. */
	counts(zone: number): Promise<SessionCounts>;
	/** Another one says that sessions left the list or began anew: it is to be read from its first page. */
	listEpoch(): string;
}
