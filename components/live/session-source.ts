import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionState } from '#lib/session/session-state.ts';
import { windowOf, withNewer, withOlder } from '#lib/session/session-state.ts';
import type { WholeRecording } from '#lib/timeline/lanes.ts';
import { type Answer, callRoute, type RouteAnswer } from './call-route.ts';
import { type LiveState, liveStore } from './store.ts';

type Held = Pick<LiveState, 'session'>;

interface SessionHolder {
	getState: () => Held;
	getInitialState: () => Held;
	subscribe: (listener: (now: Held, before: Held) => void) => () => void;
}

type Rows = 'GET /api/sessions/:id/rows';
type Events = 'GET /api/sessions/:id/events';
type Density = 'GET /api/sessions/:id/density';

/** Where the components of a session page read the session from: live, or a recording at an instant. */
export interface SessionSource {
	isLive: boolean;
	readsFrom: 'start' | 'end';
	store: SessionHolder;
	put: (session: SessionState) => void;
	/** Rows by range, ascending. `before` and `after` are row seqs, exclusive. */
	getRows: (sessionId: string, range: RequestOf<Rows>['query'] & object) => Promise<RouteAnswer<Rows>>;
	/** Events after a seq, ascending; with `row` only those of that row. */
	getEvents: (sessionId: string, range: RequestOf<Events>['query'] & object) => Promise<RouteAnswer<Events>>;
	getDensity: (sessionId: string) => Promise<RouteAnswer<Density>>;
	getBlob: (sessionId: string, sha: string) => Promise<Answer<string>>;
	getHandoff: (sessionId: string, name: string) => Promise<Answer<string>>;
	/** For a recording at an instant: the whole recording, and its rows after a seq as they are at the end. */
	coming?: WholeRecording & { getRows: (sessionId: string, after: number) => Promise<readonly Row[]> };
}

const liveSource: SessionSource = {
	isLive: true,
	readsFrom: 'end',
	store: liveStore,
	put: (session) => liveStore.setState({ session }),
	getRows: (id, query) => callRoute('GET /api/sessions/:id/rows', { params: { id }, query }),
	getEvents: (id, query) => callRoute('GET /api/sessions/:id/events', { params: { id }, query }),
	getDensity: (id) => callRoute('GET /api/sessions/:id/density', { params: { id } }),
	getBlob: (id, sha) => callRoute('GET /api/sessions/:id/blobs/:sha', { params: { id, sha } }),
	getHandoff: (id, name) => callRoute('GET /api/sessions/:id/handoffs/:name', { params: { id, name } }),
};

/** The live session, unless a page provides another source. */
export const SessionSourceContext = createContext(liveSource);

/** Live or recorded: parts of a session page need not know which. */
export const useSessionSource = (): SessionSource => useContext(SessionSourceContext);

/** Selects from the session on screen; null if it is another one. Keep the slice small: every change renders. */
export function useSession<Slice>(sessionId: string, select: (session: SessionState) => Slice): Slice | null {
	const { store } = useSessionSource();
	return useStore(store, ({ session }) => (session?.sessionId === sessionId ? select(session) : null));
}

const RANGE_ROWS = 200;

/** Loads the rows before the first or after the last loaded row; one request at a time. */
export async function loadRange(source: SessionSource, side: 'older' | 'newer'): Promise<void> {
	const { session } = source.store.getState();
	if (session?.status !== 'ready' || session.loading) return;
	const { rows } = session.window;
	const edge = side === 'older' ? rows[0] : rows.at(-1);
	if (!edge) return;
	patch(source, session.sessionId, () => ({ loading: side }));
	const range = side === 'older' ? { before: edge.seq } : { after: edge.seq };
	const answer = await source.getRows(session.sessionId, { ...range, limit: RANGE_ROWS });
	patch(source, session.sessionId, ({ window, epoch }) => {
		if (!answer.ok || epoch !== session.epoch) return { loading: null };
		const join = side === 'older' ? withOlder : withNewer;
		return { loading: null, window: join(window, answer.data.rows, RANGE_ROWS) };
	});
}

/** Replaces the window by rows around a row's `seq`, for a row that is not loaded. */
export async function loadAround(source: SessionSource, seq: number): Promise<void> {
	const { session } = source.store.getState();
	if (!session) return;
	const answer = await source.getRows(session.sessionId, { before: seq + RANGE_ROWS, limit: RANGE_ROWS });
	if (answer.ok) patch(source, session.sessionId, () => ({ window: { ...windowOf(answer.data.rows), atTail: false } }));
}

/** Replaces the window by the newest rows; new ones are then appended again. */
export async function loadTail(source: SessionSource): Promise<void> {
	const { session } = source.store.getState();
	if (!session || session.window.atTail) return;
	const answer = await source.getRows(session.sessionId, { limit: RANGE_ROWS });
	if (answer.ok) patch(source, session.sessionId, () => ({ window: windowOf(answer.data.rows) }));
}

/** Updates the session on screen, unless another session has replaced it meanwhile. */
function patch(source: SessionSource, sessionId: string, change: (session: SessionState) => Partial<SessionState>) {
	const { session } = source.store.getState();
	if (session?.sessionId === sessionId) source.put({ ...session, ...change(session) });
}
