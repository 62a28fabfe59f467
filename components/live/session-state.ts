import type { EventBatch, SessionSnapshot } from '#lib/contract/realtime/wire.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { fold } from '#lib/session/fold.ts';
import { type RowWindow, rowIn, windowOf, withRows } from '#lib/timeline/row-window.ts';

export interface SessionState {
	sessionId: string;
	status: 'loading' | 'ready' | 'not-found';
	epoch: string | null;
	view: SessionView | null;
	window: RowWindow;
	loading: 'older' | 'newer' | null;
	/** Number of rows that arrived since the page opened, for announcements and "12 new". */
	arrived: number;
}

export function loadingSession(sessionId: string): SessionState {
	const window = { rows: [], hasOlder: false, atTail: true };
	return { sessionId, status: 'loading', epoch: null, view: null, window, loading: null, arrived: 0 };
}

/** Replaces the state: at the first load, after a new epoch, or when too far behind. */
export function applySnapshot(state: SessionState, snapshot: SessionSnapshot): SessionState {
	const { epoch, view } = snapshot;
	return { ...state, status: 'ready', epoch, view, window: windowOf(snapshot.rows), loading: null };
}

/**
 * Folds batches into the state and drops known events. Returns null on a gap or a new epoch; the caller then subscribes
 * again.
 */
export function applyBatches(state: SessionState, batches: readonly EventBatch[]): SessionState | null {
	if (!state.view) return state;
	let { seq } = state.view;
	const fresh: IndexedEvent[] = [];
	for (const batch of batches) {
		if (batch.epoch !== state.epoch) return null;
		for (const event of batch.events) {
			if (event.seq <= seq) continue;
			if (event.seq !== seq + 1) return null;
			seq = event.seq;
			fresh.push(event);
		}
	}
	return fresh.length === 0 ? state : foldEvents(state, fresh);
}

/** Folds the events that follow the last one, in order. The only way in which live and recorded sessions grow. */
export function foldEvents(
	state: SessionState,
	events: readonly IndexedEvent[],
	onEvent?: (event: IndexedEvent, before: SessionView) => void,
): SessionState {
	let { view } = state;
	if (!view) return state;
	const { rows } = state.window;
	const changed = new Map<string, Row>();
	const rowOf = (key: string) => changed.get(key) ?? rowIn(rows, key);
	let arrived = 0;
	for (const event of events) {
		onEvent?.(event, view);
		const next = fold(view, event, rowOf);
		view = next.view;
		for (const row of next.rows) {
			if (!rowOf(row.key)) arrived++;
			changed.set(row.key, row);
		}
	}
	const window = withRows(state.window, [...changed.values()]);
	return { ...state, view, window, arrived: state.arrived + arrived };
}
