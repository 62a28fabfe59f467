import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { getBlob, getEvents, getHandoff, getRows } from './api.ts';
import type { SessionState } from './session-state.ts';
import { type LiveState, liveStore } from './store.ts';

type Held = Pick<LiveState, 'session'>;

interface SessionHolder {
	getState: () => Held;
	getInitialState: () => Held;
	subscribe: (listener: (now: Held, before: Held) => void) => () => void;
}

/** Where the parts of a session page get their session: the live one, or a recorded one at some instant. */
export interface SessionSource {
	/** Only a live session can be acted on. */
	isLive: boolean;
	/** Where a story begins to be read: a live one at its newest row. */
	readsFrom: 'start' | 'end';
	store: SessionHolder;
	put: (session: SessionState) => void;
	getRows: typeof getRows;
	getEvents: typeof getEvents;
	getBlob: typeof getBlob;
	getHandoff: typeof getHandoff;
}

const liveSource: SessionSource = {
	isLive: true,
	readsFrom: 'end',
	store: liveStore,
	put: (session) => liveStore.setState({ session }),
	getRows,
	getEvents,
	getBlob,
	getHandoff,
};

/** The live session unless a page puts another source around its parts. */
export const SessionSourceContext = createContext(liveSource);

/** The source that the surrounding page reads from. */
export function useSessionSource(): SessionSource {
	return useContext(SessionSourceContext);
}

/** A slice of the session on screen, if it is this one; keep it small, since each change of it renders. */
export function useSession<Slice>(sessionId: string, select: (session: SessionState) => Slice): Slice | null {
	const { store } = useSessionSource();
	return useStore(store, ({ session }) => (session?.sessionId === sessionId ? select(session) : null));
}
