import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { SessionCounts, SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Plain } from '#lib/messages/say.ts';
import type { SessionState } from '#lib/session/session-state.ts';

/** State of the session list. `sessions` holds only the loaded part of it. */
export interface ListState {
	epoch: string;
	/** Number of first pages received. When it changes, everything else is requested again. */
	reloads: number;
	counts: SessionCounts;
	next: string | null;
}

/** All server state on screen. Only modules in `live` write it. */
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

/** Selects from the store. Keep the slice small: every change renders. */
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
	/** The server speaks another protocol version; only a page reload helps. */
	| { state: 'outdated' }
	| { state: 'signed-out' };

/** Reconnecting for longer than this (ms) counts as offline. */
export const OFFLINE_AFTER_MS = 8_000;

export function lost(connection: Connection, now: number): Connection {
	const { state } = connection;
	if (state === 'connecting' || state === 'live') return { state: 'reconnecting', since: now };
	if (state !== 'reconnecting' || now - connection.since <= OFFLINE_AFTER_MS) return connection;
	return { state: 'offline', since: connection.since };
}
