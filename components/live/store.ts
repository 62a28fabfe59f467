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
	/** How many first pages have come: with another one everything else is asked for again. */
	reloads: number;
	counts: SessionCounts;
	next: string | null;
}

/** Everything on screen that came from the server. The live modules are its only writers. */
export interface LiveState {
	connection: Connection;
	clockOffset: number;
	me: Me | null;
	sessions: Record<string, SessionSummary> | null;
	list: ListState | null;
	session: SessionState | null;
	incidents: readonly Incident[];
}

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

export const NOT_CONNECTED: Plain = 'Not connected: nothing can be decided until the server is back.';

export const useConnected = (): boolean => useLive(({ connection }) => connection.state === 'live');

export type Connection =
	| { state: 'connecting' }
	| { state: 'live' }
	| { state: 'reconnecting'; since: number }
	| { state: 'offline'; since: number }
	/** The server speaks another version of the protocol: only a reload helps. */
	| { state: 'outdated' }
	| { state: 'signed-out' };

/** Reconnecting for longer than this (ms) is called offline. */
export const OFFLINE_AFTER_MS = 8_000;

export function lost(connection: Connection, now: number): Connection {
	const { state } = connection;
	if (state === 'connecting' || state === 'live') return { state: 'reconnecting', since: now };
	if (state !== 'reconnecting' || now - connection.since <= OFFLINE_AFTER_MS) return connection;
	return { state: 'offline', since: connection.since };
}
