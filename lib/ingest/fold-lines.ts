import type { LedgerEntry } from '../contract/archives/decisions.ts';
import type { TimelineEvent } from '../contract/events/event.ts';
import { typeFields } from '../contract/events/event-labels.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { ledgerOf } from '../ledger/ledger-of.ts';
import { findCall } from '../session/call.ts';
import { fold, rowKeyOf } from '../session/fold.ts';
import { callRow } from '../session/fold-call.ts';
import { SessionFold } from '../session/session-fold.ts';

/** A range of a timeline from which no event could be read. */
export interface Gap {
	id: string;
	offset: number;
	bytes: number;
	reason: string;
}

export type LineItem = { event: TimelineEvent; unverified: boolean } | { gap: Gap };

/** A session between two batches of lines. */
export interface FoldedSession {
	view: SessionView;
	/** The time of the newest event: a gap has none of its own. */
	lastTs: string | undefined;
}

/** The store's data that lines refer to, as listed by `neededRows`. */
export interface StoredRows {
	/** Those of the ids that the store has. */
	known: ReadonlySet<string>;
	/** Each of the rows; undefined if there is none. */
	rows: ReadonlyMap<string, Row | undefined>;
}

/** What lines add to a session. */
export interface FoldedLines {
	events: { event: IndexedEvent; rowKey: string }[];
	rows: Row[];
	ledger: LedgerEntry[];
	view: SessionView;
	/** A stored row was needed that the view no longer had, so `foldAgain` cannot repeat this. */
	reachedBack: boolean;
}

/** What must be fetched before `foldLines` for these lines: which of the ids exist, and these rows. */
export function neededRows(view: SessionView, items: readonly LineItem[]): { ids: string[]; rowKeys: string[] } {
	if (view.seq === 0) return { ids: [], rowKeys: [] };
	const keys = new Set<string>();
	for (const item of items) {
		if ('gap' in item) continue;
		const key = rowKeyOf(view, item.event);
		if (key.startsWith('approval:')) keys.add(key);
		const { toolUseId } = item.event;
		if (toolUseId && !findCall(view.calls, toolUseId)) keys.add(`call:${toolUseId}`);
		// The end of an agent belongs to the row of the call that started it.
		else if (!toolUseId && key.startsWith('call:') && !findCall(view.calls, key.slice('call:'.length))) keys.add(key);
	}
	return { ids: items.map((item) => ('gap' in item ? item.gap.id : item.event.id)), rowKeys: [...keys] };
}

/**
 * Folds new lines onto a session. Pure: what it needs from the store is fetched before (`neededRows`), and no argument is
 * changed. `gapTime` is the time of a gap before any event.
 */
export function foldLines(
	stored: StoredRows,
	session: FoldedSession,
	lines: { items: readonly LineItem[]; gapTime: string },
): { folded: FoldedLines; lastTs: string | undefined } {
	const added = new Set<string>();
	const rows = new Map<string, Row>();
	const ledger = new Map<string, LedgerEntry>();
	const events: FoldedLines['events'] = [];
	let reachedBack = false;
	let { view, lastTs } = session;
	const rowOf = (key: string): Row | undefined => {
		const changed = rows.get(key);
		if (changed) return changed;
		// What the view has was not fetched.
		if (!stored.rows.has(key)) return rowInView(session.view, key);
		const storedRow = stored.rows.get(key);
		if (storedRow) reachedBack = true;
		return storedRow;
	};
	for (const item of lines.items) {
		const lineEvent = 'gap' in item ? gapEvent(view.sessionId, lastTs ?? lines.gapTime, item.gap) : item.event;
		if (stored.known.has(lineEvent.id) || added.has(lineEvent.id)) continue;
		added.add(lineEvent.id);
		lastTs = lineEvent.ts;
		const event: IndexedEvent = { ...lineEvent, seq: view.seq + 1 };
		if ('event' in item && item.unverified) event.unverified = true;
		events.push({ event, rowKey: rowKeyOf(view, event) });
		const step = fold(view, event, rowOf);
		for (const row of step.rows) rows.set(row.key, row);
		for (const line of ledgerOf(event, step)) ledger.set(line.rowKey, line);
		view = step.view;
	}
	return { folded: { events, rows: [...rows.values()], ledger: [...ledger.values()], view, reachedBack }, lastTs };
}

/** A row that the view had when the lines began; it may leave the view before the last of them. */
function rowInView(view: SessionView, key: string): Row | undefined {
	if (!key.startsWith('call:')) return undefined;
	const call = findCall(view.calls, key.slice('call:'.length));
	return call && callRow(call);
}

/** An unreadable range as an event; it has no time of its own. */
export function gapEvent(sessionId: string, ts: string, gap: Gap): TimelineEvent {
	return { ts, ...typeFields('system:gap'), sessionId, ...gap };
}

/** Folds the later events onto an older view; none of them needed rows from before it (`FoldedLines.reachedBack`). */
export function foldAgain(view: SessionView, events: readonly IndexedEvent[]): SessionView {
	const session = new SessionFold(view.sessionId, { known: view, findRow: (key) => rowInView(view, key) });
	for (const event of events) session.add(event);
	return session.view;
}
