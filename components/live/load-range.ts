import { windowOf, withNewer, withOlder } from '#lib/timeline/row-window.ts';
import type { SessionSource } from './session-source.ts';
import type { SessionState } from './session-state.ts';

/** Rows asked for at once. */
const RANGE_ROWS = 200;

/** Loads the rows before the window's first or after its last one; one range at a time. */
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

/** Leaves the window for the stretch around a row's seq. */
export async function loadAround(source: SessionSource, seq: number): Promise<void> {
	const { session } = source.store.getState();
	if (!session) return;
	const answer = await source.getRows(session.sessionId, { before: seq + RANGE_ROWS, limit: RANGE_ROWS });
	if (answer.ok) patch(source, session.sessionId, () => ({ window: { ...windowOf(answer.data.rows), atTail: false } }));
}

/** Leaves the window for the newest rows. */
export async function loadTail(source: SessionSource): Promise<void> {
	const { session } = source.store.getState();
	if (!session || session.window.atTail) return;
	const answer = await source.getRows(session.sessionId, { limit: RANGE_ROWS });
	if (answer.ok) patch(source, session.sessionId, () => ({ window: windowOf(answer.data.rows) }));
}

/** Changes the session on screen unless another one has taken its place meanwhile. */
function patch(source: SessionSource, sessionId: string, change: (session: SessionState) => Partial<SessionState>) {
	const { session } = source.store.getState();
	if (session?.sessionId === sessionId) source.put({ ...session, ...change(session) });
}
