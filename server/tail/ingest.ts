import type { LedgerEntry } from '#lib/contract/decisions.ts';
import type { TimelineEvent } from '#lib/contract/event.ts';
import { ledgerOf } from '#lib/ledger/ledger-of.ts';
import { fold } from '#lib/session/fold.ts';
import { findCall } from '#lib/session/roster.ts';
import type { Row } from '#lib/session/row.ts';
import { rowKeyOf } from '#lib/session/row-key.ts';
import { emptyView, type IndexedEvent, type SessionView } from '#lib/session/view.ts';
import type { Cursor, IndexBatch, IndexStore } from '../store/index-store.ts';
import { foreignLineId, gapEvent } from './line-event.ts';

/** What the lines of one read came to, in their order. */
export type LineItem =
	| { event: TimelineEvent; unverified: boolean }
	| { gap: { offset: number; bytes: number; reason: string } };

/** What is kept of a session between two batches; all of it comes back from the index. */
export interface HotSession {
	view: SessionView;
	/** The time of the newest indexed event: a gap has none of its own. */
	lastTs: string | undefined;
	/** How many foreign lines with these bytes (by the id of the first) there are. */
	foreignLines: Map<string, number>;
}

/** Beyond this many different foreign lines the counts are asked of the index again. */
const MAX_FOREIGN_COUNTS = 10_000;

/** Takes up a session where the index has it. */
export function loadSession(index: IndexStore, sessionId: string): HotSession {
	const view = index.view(sessionId) ?? emptyView(sessionId);
	const [last] = index.events(sessionId, { after: view.seq - 1, limit: 1 });
	return { view, lastTs: last?.ts, foreignLines: new Map() };
}

/** Names a line that came without an id: the n-th of its kind in the session. */
export function nameForeignLine(index: IndexStore, hot: HotSession, line: Buffer): string {
	const { sessionId } = hot.view;
	const first = foreignLineId(sessionId, line, 0);
	const nth = hot.foreignLines.get(first) ?? countIndexed(index, sessionId, line);
	if (hot.foreignLines.size >= MAX_FOREIGN_COUNTS) hot.foreignLines.clear();
	hot.foreignLines.set(first, nth + 1);
	return nth === 0 ? first : foreignLineId(sessionId, line, nth);
}

/** How many lines with these bytes the index holds: their numbers have no holes, so halving finds the end. */
function countIndexed(index: IndexStore, sessionId: string, line: Buffer): number {
	const holds = (nth: number) => {
		const id = foreignLineId(sessionId, line, nth);
		return index.knownIds(sessionId, [id]).has(id);
	};
	if (!holds(0)) return 0;
	let held = 0;
	let free = 1;
	while (holds(free)) {
		held = free;
		free *= 2;
	}
	while (free - held > 1) {
		const middle = Math.floor((held + free) / 2);
		if (holds(middle)) held = middle;
		else free = middle;
	}
	return free;
}

/** Folds new lines onto a session: what the index must write, and the session afterwards. Changes nothing itself. */
export function foldLines(
	index: IndexStore,
	hot: HotSession,
	lines: { items: readonly LineItem[]; cursor: Cursor; birth: string },
): { batch: IndexBatch; lastTs: string | undefined } {
	const { sessionId } = hot.view;
	const known = knownAmong(index, hot.view, lines.items);
	const indexed = index.rowsOf(sessionId, absentCalls(hot.view, lines.items));
	const rows = new Map<string, Row>();
	const rowOf = (key: string) => rows.get(key) ?? (indexed.has(key) ? indexed.get(key) : index.row(sessionId, key));
	const events: IndexBatch['events'] = [];
	const ledger = new Map<string, LedgerEntry>();
	let { view, lastTs } = hot;
	for (const item of lines.items) {
		const found = 'gap' in item ? gapEvent({ sessionId, ts: lastTs ?? lines.birth, ...item.gap }) : item.event;
		if (known.has(found.id)) continue;
		known.add(found.id);
		lastTs = found.ts;
		const event: IndexedEvent = { ...found, seq: view.seq + 1 };
		if ('event' in item && item.unverified) event.unverified = true;
		events.push({ event, rowKey: rowKeyOf(view, event) });
		const step = fold(view, event, rowOf);
		for (const row of step.rows) rows.set(row.key, row);
		for (const line of ledgerOf(event, step)) ledger.set(line.rowKey, line);
		view = step.view;
	}
	const changed = { rows: [...rows.values()], ledger: [...ledger.values()] };
	return { batch: { sessionId, cursor: lines.cursor, events, ...changed, view }, lastTs };
}

/** The rows of calls that the view does not hold: the fold will ask for each, and one question for all costs far less. */
function absentCalls(view: SessionView, items: readonly LineItem[]): string[] {
	if (view.seq === 0) return [];
	const asked = new Set<string>();
	for (const item of items) {
		const call = 'event' in item ? item.event.toolUseId : undefined;
		if (call && !findCall(view.calls, call)) asked.add(`call:${call}`);
	}
	return [...asked];
}

/** Ids that are already taken. A session without events has none, which saves the question on a first read. */
function knownAmong(index: IndexStore, view: SessionView, items: readonly LineItem[]): Set<string> {
	if (view.seq === 0) return new Set();
	return index.knownIds(
		view.sessionId,
		items.flatMap((item) => ('event' in item ? [item.event.id] : [])),
	);
}
