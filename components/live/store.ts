import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '#lib/contract/health/incidents.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { SessionCounts, SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Connection } from './connection.ts';
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
