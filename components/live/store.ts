import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { SessionCounts, SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Plain } from '#lib/messages/say.ts';
import type { SessionState } from './session-state.ts';

/** What is known of the whole list, of which `sessions` holds the first pages and what was asked for. */
export interface ListState {
	epoch: string;
	/** How many first pages have come: with another one everything else is asked for anew. */
	round: number;
	counts: SessionCounts;
	/** Where the next page begins; null when all are known. */
	next: string | null;
}

/** Everything on screen that came from the server. The live modules are its only writers. */
export interface LiveState {
	connection: Connection;
	/** Server time minus browser time in ms. */
	clockOffset: number;
	me: Me | null;
	/** By session id; null until the list has arrived once. */
	sessions: Record<string, SessionSummary> | null;
	/** How far `sessions` goes; null until it has arrived once. */
	list: ListState | null;
	session: SessionState | null;
	/** What the server has seen go wrong with what guards the calls, newest first. */
	incidents: readonly Incident[];
}

/** The one store of this browser tab. */
export const liveStore = createStore<LiveState>(() => ({
	connection: { state: 'connecting' },
	clockOffset: 0,
	me: null,
	sessions: null,
	list: null,
	session: null,
	incidents: [],
}));

/** Reads a slice; keep it small, since each change of it renders. */
export function useLive<Slice>(select: (state: LiveState) => Slice): Slice {
	return useStore(liveStore, select);
}

/** What a page says of a thing that only a connected server can know. */
export const NOT_CONNECTED: Plain = 'Not connected: nothing can be decided until the server is back.';

/** Whether the server is heard; without it nobody knows what still waits. */
export function useConnected(): boolean {
	return useLive(({ connection }) => connection.state === 'live');
}

/** The state of the socket as the header's quiet word. */
export type Connection =
	| { state: 'connecting' }
	| { state: 'live' }
	| { state: 'reconnecting'; since: number }
	| { state: 'offline'; since: number }
	/** The server speaks another version of the protocol: only a reload helps. */
	| { state: 'outdated' }
	/** The sign-in has ended or never was. */
	| { state: 'signed-out' };

/** Reconnecting for longer than this (ms) is called offline. */
export const OFFLINE_AFTER_MS = 8_000;

/** What a connection becomes when the socket is lost at `now` (ms). */
export function lost(connection: Connection, now: number): Connection {
	switch (connection.state) {
		case 'connecting':
		case 'live':
			return { state: 'reconnecting', since: now };
		case 'reconnecting':
			return now - connection.since > OFFLINE_AFTER_MS ? { state: 'offline', since: connection.since } : connection;
		case 'offline':
		case 'outdated':
		case 'signed-out':
			return connection;
	}
}
