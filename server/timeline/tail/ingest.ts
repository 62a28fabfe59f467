import { foldLines, groundAsked, type HotSession, type LineItem } from '#lib/ingest/fold-lines.ts';
import { emptyView } from '#lib/session/view.ts';
import type { Cursor, IndexBatch, TailStore } from '../store/index-store.ts';
import { foreignLineId } from './line-event.ts';

/** What is kept of a session between two reads; all of it comes back from the index. */
export interface ReadSession extends HotSession {
	/** How many foreign lines with these bytes (by the id of the first) there are. */
	foreignLines: Map<string, number>;
}

/** Beyond this many different foreign lines the counts are asked of the index again. */
const MAX_FOREIGN_COUNTS = 10_000;

/** Takes up a session where the index has it. */
export function loadSession(index: TailStore, sessionId: string): ReadSession {
	const view = index.view(sessionId) ?? emptyView(sessionId);
	const [last] = index.events(sessionId, { after: view.seq - 1, limit: 1 });
	return { view, lastTs: last?.ts, foreignLines: new Map() };
}

/** Names a line that came without an id: the n-th of its kind in the session. */
export function nameForeignLine(index: TailStore, hot: ReadSession, line: Buffer): string {
	const { sessionId } = hot.view;
	const first = foreignLineId(sessionId, line, 0);
	const nth = hot.foreignLines.get(first) ?? countIndexed(index, sessionId, line);
	if (hot.foreignLines.size >= MAX_FOREIGN_COUNTS) hot.foreignLines.clear();
	hot.foreignLines.set(first, nth + 1);
	return nth === 0 ? first : foreignLineId(sessionId, line, nth);
}

/** How many lines with these bytes the index holds: their numbers have no holes, so halving finds the end. */
function countIndexed(index: TailStore, sessionId: string, line: Buffer): number {
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

/** What the index must write for new lines, and the time of the last; everything that the fold needs is asked for here. */
export function ingest(
	index: Pick<TailStore, 'knownIds' | 'rowsOf'>,
	hot: HotSession,
	{ cursor, ...lines }: { items: readonly LineItem[]; cursor: Cursor; birth: string },
): { batch: IndexBatch; lastTs: string | undefined } {
	const { sessionId } = hot.view;
	const { ids, rowKeys } = groundAsked(hot.view, lines.items);
	const ground = { known: index.knownIds(sessionId, ids), rows: index.rowsOf(sessionId, rowKeys) };
	const { folded, lastTs } = foldLines(ground, hot, lines);
	return { batch: { sessionId, cursor, ...folded }, lastTs };
}
