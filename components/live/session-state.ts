import type { EventBatch, SessionSnapshot } from '#lib/contract/wire.ts';
import { fold } from '#lib/session/fold.ts';
import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';
import { type RowWindow, windowOf, withRows } from '#lib/timeline/row-window.ts';

/** The session on screen. */
export interface SessionState {
	sessionId: string;
	status: 'loading' | 'ready' | 'not-found';
	epoch: string | null;
	view: SessionView | null;
	window: RowWindow;
	/** Newest events as they came, for the raw tab while it is at the end. */
	recent: readonly IndexedEvent[];
	/** A range is on its way. */
	loading: 'older' | 'newer' | null;
	/** Rows that arrived since the page opened; the announcer and "12 new" count by it. */
	arrived: number;
}

const RECENT_EVENTS = 500;

/** A session that has been asked for and has not answered. */
export function loadingSession(sessionId: string): SessionState {
	const window = { rows: [], hasOlder: false, atTail: true };
	return { sessionId, status: 'loading', epoch: null, view: null, window, recent: [], loading: null, arrived: 0 };
}

/** First load, another epoch, or too far behind: everything anew. */
export function applySnapshot(state: SessionState, snapshot: SessionSnapshot): SessionState {
	const { epoch, view } = snapshot;
	const kept = state.epoch === epoch ? state.recent : [];
	return { ...state, status: 'ready', epoch, view, window: windowOf(snapshot.rows), recent: kept, loading: null };
}

/**
 * Folds batches in. Events that are already in are dropped; null means a hole or another epoch, on which the
 * caller subscribes again.
 */
export function applyBatches(state: SessionState, batches: readonly EventBatch[]): SessionState | null {
	let { view } = state;
	if (!view) return state;
	const known = new Map(state.window.rows.map((row) => [row.key, row]));
	const changed = new Map<string, Row>();
	const rowOf = (key: string) => changed.get(key) ?? known.get(key);
	const fresh: IndexedEvent[] = [];
	let arrived = 0;
	for (const batch of batches) {
		if (batch.epoch !== state.epoch) return null;
		for (const event of batch.events) {
			if (event.seq <= view.seq) continue;
			if (event.seq !== view.seq + 1) return null;
			const next = fold(view, event, rowOf);
			view = next.view;
			for (const row of next.rows) {
				if (!rowOf(row.key)) arrived++;
				changed.set(row.key, row);
			}
			fresh.push(event);
		}
	}
	if (fresh.length === 0) return state;
	const recent = [...state.recent, ...fresh].slice(-RECENT_EVENTS);
	const window = withRows(state.window, [...changed.values()]);
	return { ...state, view, window, recent, arrived: state.arrived + arrived };
}
