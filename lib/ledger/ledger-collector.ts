import { FIRST_AGENT } from '../agents/agent-table.ts';
import type { DecisionRecord, LedgerEntry } from '../contract/archives/decisions.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { fold } from '../session/fold.ts';
import { emptyView } from '../session/view.ts';
import { ledgerOf } from './ledger-of.ts';
import { FOLLOWED_ROWS, whatFollowed } from './what-followed.ts';

/** Of rows that the view no longer holds so many are kept, and of a session's decisions the first so many. */
const KEPT_ROWS = 5000;
const MOST_LINES = 2000;

/**
 * Collects the lines of the ledger of one session that no index holds, each with what followed. `add` takes the next event
 * by seq; memory is bounded however many come.
 */
export function ledgerCollector(sessionId: string) {
	let view = emptyView(sessionId);
	const rows = new Map<string, { row: Row }>();
	/** Those that follow a decision are kept as long as it is: their calls may end late. */
	const watched = new Map<string, { row: Row }>();
	const lines = new Map<string, { line: LedgerEntry; later: { row: Row }[] }>();
	/** The lines whose following rows are still to come. */
	let open: { row: Row }[][] = [];

	const find = (key: string) => rows.get(key) ?? watched.get(key);

	function remember(row: Row): void {
		const known = find(row.key);
		if (known) {
			known.row = row;
			return;
		}
		const kept = { row };
		rows.set(row.key, kept);
		if (open.length > 0) watched.set(row.key, kept);
		for (const later of open) later.push(kept);
		open = open.filter(({ length }) => length < FOLLOWED_ROWS);
		const [oldest] = rows.size > KEPT_ROWS ? rows.keys() : [];
		if (oldest !== undefined) rows.delete(oldest);
	}

	function put(line: LedgerEntry): void {
		const known = lines.get(line.rowKey);
		if (known) known.line = line;
		else if (lines.size < MOST_LINES) {
			const later: { row: Row }[] = [];
			open.push(later);
			lines.set(line.rowKey, { line, later });
		}
	}

	return {
		add(event: IndexedEvent): void {
			const step = fold(view, event, (key) => find(key)?.row);
			view = step.view;
			for (const row of step.rows) remember(row);
			for (const line of ledgerOf(event, step)) put(line);
		},
		lines(): DecisionRecord[] {
			const { agent = FIRST_AGENT, project, branch } = view;
			const place = { agent, ...(project && { project }), ...(branch && { branch }) };
			return Array.from(lines.values(), ({ line, later }) => ({
				...line,
				...place,
				followed: whatFollowed(
					line,
					later.map(({ row }) => row),
					view,
				),
			}));
		},
	};
}
