import * as z from 'zod';
import type { Incident } from '../health/incidents.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { SessionCounts, SessionSummary } from '../sessions/read-model/session-summary.ts';
import type { IndexedEvent, SessionView } from '../sessions/read-model/session-view.ts';
import { Zone } from '../sessions/session-queries.ts';

/** What a browser may listen to: the list of all sessions, or one session by its name. */
export const Topic = z.union([z.literal('sessions'), z.templateLiteral(['session:', z.string().max(138)])]);
export type Topic = z.infer<typeof Topic>;

/** First load and resume are one request: `epoch: null` or an unknown one means "send a snapshot". */
export const SubscribeRequest = z.strictObject({
	version: z.number().int(),
	topic: Topic,
	epoch: z.string().max(64).nullable(),
	since: z.number().int().min(0),
	/** Of the list of sessions: how many minutes UTC is ahead of the reader's clock, since headings go by days. */
	zone: Zone.optional(),
});
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

export type SubscribeReply = { ok: true } | { ok: false; reason: 'client-too-old' | 'not-found' | 'invalid' };

/** To one client, after `subscribe` or when it fell too far behind. */
export interface SessionSnapshot {
	topic: `session:${string}`;
	epoch: string;
	view: SessionView;
	/** The newest rows, ascending by seq; older ones by range over HTTP. */
	rows: Row[];
}

/** To everybody in the session's room, in seq order without holes. */
export interface EventBatch {
	topic: `session:${string}`;
	epoch: string;
	events: IndexedEvent[];
}

/**
 * To everybody on the list: a first page once, then every session that changed, whatever page it is of. Further pages
 * come by `GET /api/sessions`.
 */
export interface SessionsUpdate {
	topic: 'sessions';
	epoch: string;
	/** The first page: whatever was known before is no more. */
	full: boolean;
	sessions: SessionSummary[];
	/** Of all sessions. */
	counts: SessionCounts;
	/** With a first page: the `before` of the next one; null where it holds all. */
	next?: string | null;
	/** Server clock, so that a browser with a wrong clock still shows true deadlines. */
	now: number;
}

export interface ServerToClient {
	snapshot: (snapshot: SessionSnapshot) => void;
	events: (batch: EventBatch) => void;
	sessions: (update: SessionsUpdate) => void;
	/** To one client: it fell behind and was left out; subscribe again. */
	behind: (notice: { topic: Topic }) => void;
	/** To everybody, on connecting and at each change: what the server has seen go wrong, newest first. */
	incidents: (incidents: Incident[]) => void;
}

export interface ClientToServer {
	subscribe: (request: SubscribeRequest, reply: (answer: SubscribeReply) => void) => void;
	unsubscribe: (topic: Topic) => void;
}
