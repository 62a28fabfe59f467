import type { Row } from '../session/row.ts';

/** Rows in memory at most; the rest comes by range. A row is about 1 kB. */
export const WINDOW_ROWS = 3_000;

/** A stretch of a session's rows, ascending by seq and without doubles. */
export interface RowWindow {
	rows: readonly Row[];
	/** There may be rows before the first one. */
	hasOlder: boolean;
	/** It reaches the newest row, so new ones belong at its end. */
	atTail: boolean;
}

/** The window of a snapshot: the newest rows; older ones exist unless it holds the session's first event. */
export function windowOf(rows: readonly Row[]): RowWindow {
	return { rows, hasOlder: (rows[0]?.seq ?? 1) > 1, atTail: true };
}

/**
 * Puts changed rows in their places. Known rows are replaced and keep their place even if the newer content was
 * folded without its beginning; new ones are added only at the tail. Over the limit the oldest are let go.
 */
export function withRows(window: RowWindow, changed: readonly Row[]): RowWindow {
	if (changed.length === 0) return window;
	const places = new Map(window.rows.map((row, at) => [row.key, at]));
	const rows = [...window.rows];
	for (const row of changed) {
		const at = places.get(row.key);
		const known = at === undefined ? undefined : rows[at];
		if (at !== undefined && known) rows[at] = row.seq === known.seq ? row : { ...row, seq: known.seq, at: known.at };
		else if (window.atTail) places.set(row.key, rows.push(row) - 1);
	}
	const sorted = isAscending(rows) ? rows : rows.sort((a, b) => a.seq - b.seq);
	const spare = sorted.length - WINDOW_ROWS;
	if (spare <= 0) return { ...window, rows: sorted };
	return { ...window, rows: sorted.slice(spare), hasOlder: true };
}

/** Joins an older range of `asked` rows; over the limit the newest are let go, which takes the window off the tail. */
export function withOlder(window: RowWindow, older: readonly Row[], asked: number): RowWindow {
	const rows = joined(older, window.rows);
	const atTail = window.atTail && rows.length <= WINDOW_ROWS;
	return { rows: rows.slice(0, WINDOW_ROWS), hasOlder: older.length >= asked, atTail };
}

/** Joins a newer range of `asked` rows; a short answer means that the tail is reached. */
export function withNewer(window: RowWindow, newer: readonly Row[], asked: number): RowWindow {
	const rows = joined(window.rows, newer);
	const spare = Math.max(0, rows.length - WINDOW_ROWS);
	return { rows: rows.slice(spare), hasOlder: window.hasOlder || spare > 0, atTail: newer.length < asked };
}

/** Both ranges in order; of two rows with one key the one with the earlier place stays, with the other's place gone. */
function joined(first: readonly Row[], second: readonly Row[]): Row[] {
	const keys = new Set(first.map((row) => row.key));
	const rows = [...first, ...second.filter((row) => !keys.has(row.key))];
	return isAscending(rows) ? rows : rows.sort((a, b) => a.seq - b.seq);
}

function isAscending(rows: readonly Row[]): boolean {
	return rows.every((row, at) => at === 0 || (rows[at - 1]?.seq ?? 0) < row.seq);
}
