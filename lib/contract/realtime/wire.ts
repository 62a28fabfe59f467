import * as z from 'zod';
import type { Incident } from '../health/incidents.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { SessionCounts, SessionSummary } from '../sessions/read-model/session-summary.ts';
import type { IndexedEvent, SessionView } from '../sessions/read-model/session-view.ts';
import { Zone } from '../sessions/session-queries.ts';

export const Topic = z.union([z.literal('sessions'), z.templateLiteral(['session:', z.string().max(138)])]);
export type Topic = z.infer<typeof Topic>;

/** First load and resume are one request: a null or unknown `epoch` asks for a snapshot. */
export const SubscribeRequest = z.strictObject({
	version: z.number().int(),
	topic: Topic,
	epoch: z.string().max(64).nullable(),
	since: z.number().int().min(0),
	zone: Zone.optional(),
});
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

export type SubscribeReply = { ok: true } | { ok: false; reason: 'client-too-old' | 'not-found' | 'invalid' };

/** To one client, after `subscribe` or when it fell too far behind. */
export interface SessionSnapshot {
	topic: `session:${string}`;
	epoch: string;
	view: SessionView;
	rows: Row[];
}

export interface EventBatch {
	topic: `session:${string}`;
	epoch: string;
	events: IndexedEvent[];
}

/** To everybody on the list: a first page, then every session that changed. */
export interface SessionsUpdate {
	topic: 'sessions';
	epoch: string;
	/** The first page replaces what was known before. */
	full: boolean;
	sessions: SessionSummary[];
	counts: SessionCounts;
	next?: string | null;
	/** The server's time, so that a browser with a wrong clock shows true deadlines. */
	now: number;
}

export interface ServerToClient {
	snapshot: (snapshot: SessionSnapshot) => void;
	events: (batch: EventBatch) => void;
	sessions: (update: SessionsUpdate) => void;
	behind: (notice: { topic: Topic }) => void;
	incidents: (incidents: Incident[]) => void;
}

export interface ClientToServer {
	subscribe: (request: SubscribeRequest, reply: (answer: SubscribeReply) => void) => void;
	unsubscribe: (topic: Topic) => void;
}
