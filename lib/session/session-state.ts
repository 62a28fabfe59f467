import type { EventBatch, SessionSnapshot } from '../contract/realtime/wire.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { fold } from './fold.ts';

/** A session on screen: its view, and a window of its rows. */
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

/** Folds new batches into the state. Null on a gap or a new epoch: the caller has to subscribe again. */
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
	return fresh.length === 0 ? state : foldEvents(state, state.view, fresh);
}

function foldEvents(state: SessionState, before: SessionView, events: readonly IndexedEvent[]): SessionState {
	let view = before;
	const { rows } = state.window;
	const changed = new Map<string, Row>();
	const rowOf = (key: string) => changed.get(key) ?? rowIn(rows, key);
	let arrived = 0;
	for (const event of events) {
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

/** Most rows in memory; the rest comes by range. A row is about 1 kB. */
export const WINDOW_ROWS = 3_000;
const LET_GO = 300;
/** Number of rows that a filter searches automatically. Leaves space for a range and for new rows. */
export const SEARCH_ROWS = 2_500;

/** A range of a session's rows, ascending by seq, without duplicates. */
export interface RowWindow {
	rows: readonly Row[];
	hasOlder: boolean;
	/** It includes the newest row, so new ones are appended. */
	atTail: boolean;
}

const cachedIndexes = new WeakMap<readonly Row[], Map<string, number>>();

/** Cached with the rows, since a busy session needs it forty times a second. */
function indexesOf(rows: readonly Row[]): Map<string, number> {
	const known = cachedIndexes.get(rows);
	if (known) return known;
	const indexes = new Map(rows.map((row, index) => [row.key, index]));
	cachedIndexes.set(rows, indexes);
	return indexes;
}

export function rowIn(rows: readonly Row[], key: string): Row | undefined {
	const index = indexesOf(rows).get(key);
	return index === undefined ? undefined : rows[index];
}

/** The newest rows as a window at the tail; `rows` ascend. */
export function windowOf(rows: readonly Row[]): RowWindow {
	return { rows, hasOlder: (rows[0]?.seq ?? 1) > 1, atTail: true };
}

/**
 * Replaces known rows, appends new ones at the tail. Over the limit it drops several at once, since each drop moves all others.
 */
export function withRows(window: RowWindow, changed: readonly Row[]): RowWindow {
	if (changed.length === 0) return window;
	const indexes = indexesOf(window.rows);
	const rows = [...window.rows];
	// The map now belongs to the new rows; for the old ones it is computed again.
	cachedIndexes.delete(window.rows);
	const last = rows.at(-1)?.seq ?? 0;
	for (const row of changed) {
		const index = indexes.get(row.key);
		const known = index === undefined ? undefined : rows[index];
		if (index !== undefined && known)
			rows[index] = row.seq === known.seq ? row : { ...row, seq: known.seq, at: known.at };
		else if (window.atTail) indexes.set(row.key, rows.push(row) - 1);
	}
	const added = rows.slice(window.rows.length);
	const inOrder = isAscending(added) && (added[0]?.seq ?? last + 1) > last;
	const sorted = inOrder ? rows : rows.sort((a, b) => a.seq - b.seq);
	if (sorted.length > WINDOW_ROWS) return { ...window, rows: sorted.slice(LET_GO - WINDOW_ROWS), hasOlder: true };
	if (inOrder) cachedIndexes.set(rows, indexes);
	return { ...window, rows: sorted };
}

/** Joins an older range of `requested` rows; over the limit the newest are dropped, and the window loses the tail. */
export function withOlder(window: RowWindow, older: readonly Row[], requested: number): RowWindow {
	const rows = joined(older, window.rows);
	const atTail = window.atTail && rows.length <= WINDOW_ROWS;
	return { rows: rows.slice(0, WINDOW_ROWS), hasOlder: older.length >= requested, atTail };
}

/** Joins a newer range of `requested` rows; a short answer means that the tail is reached. */
export function withNewer(window: RowWindow, newer: readonly Row[], requested: number): RowWindow {
	const rows = joined(window.rows, newer);
	const spare = Math.max(0, rows.length - WINDOW_ROWS);
	return { rows: rows.slice(spare), hasOlder: window.hasOlder || spare > 0, atTail: newer.length < requested };
}

function joined(first: readonly Row[], second: readonly Row[]): Row[] {
	const keys = new Set(first.map((row) => row.key));
	const rows = [...first, ...second.filter((row) => !keys.has(row.key))];
	return isAscending(rows) ? rows : rows.sort((a, b) => a.seq - b.seq);
}

function isAscending(rows: readonly Row[]): boolean {
	return rows.every((row, index) => index === 0 || (rows[index - 1]?.seq ?? 0) < row.seq);
}
