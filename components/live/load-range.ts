import { windowOf, withNewer, withOlder } from '#lib/timeline/row-window.ts';
import { getRows, RANGE_ROWS } from './api.ts';
import type { SessionState } from './session-state.ts';
import { liveStore } from './store.ts';

/** Loads the rows before the window's first or after its last one; one range at a time. */
export async function loadRange(side: 'older' | 'newer'): Promise<void> {
	const { session } = liveStore.getState();
	if (session?.status !== 'ready' || session.loading) return;
	const { rows } = session.window;
	const edge = side === 'older' ? rows[0] : rows.at(-1);
	if (!edge) return;
	patch(session.sessionId, () => ({ loading: side }));
	const range = side === 'older' ? { before: edge.seq } : { after: edge.seq };
	const answer = await getRows(session.sessionId, { ...range, limit: RANGE_ROWS });
	patch(session.sessionId, ({ window, epoch }) => {
		if (!answer.ok || epoch !== session.epoch) return { loading: null };
		const join = side === 'older' ? withOlder : withNewer;
		return { loading: null, window: join(window, answer.data.rows, RANGE_ROWS) };
	});
}

/** Leaves the window for the stretch around a row's seq. */
export async function loadAround(seq: number): Promise<void> {
	const { session } = liveStore.getState();
	if (!session) return;
	const answer = await getRows(session.sessionId, { before: seq + RANGE_ROWS, limit: RANGE_ROWS });
	if (answer.ok) patch(session.sessionId, () => ({ window: { ...windowOf(answer.data.rows), atTail: false } }));
}

/** Leaves the window for the newest rows. */
export async function loadTail(): Promise<void> {
	const { session } = liveStore.getState();
	if (!session || session.window.atTail) return;
	const answer = await getRows(session.sessionId, { limit: RANGE_ROWS });
	if (answer.ok) patch(session.sessionId, () => ({ window: windowOf(answer.data.rows) }));
}

/** Changes the session on screen unless another one has taken its place meanwhile. */
function patch(sessionId: string, change: (session: SessionState) => Partial<SessionState>): void {
	const { session } = liveStore.getState();
	if (session?.sessionId === sessionId) liveStore.setState({ session: { ...session, ...change(session) } });
}
