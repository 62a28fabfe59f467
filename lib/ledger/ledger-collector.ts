import { FIRST_AGENT } from '../agents/agent-table.ts';
import type { DecisionRecord, Followed, LedgerEntry } from '../contract/archives/decisions.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { wasStopped } from '../session/call.ts';
import { SessionFold } from '../session/session-fold.ts';
import { shortPath } from '../text/printable.ts';
import { ledgerOf, ledgerOutcome } from './ledger-of.ts';

/** How many rows that left the view are retained, and how many decisions of a session. */
const KEPT_ROWS = 5000;
const MAX_LINES = 2000;

/** A row as it is now. Shared by the maps and lists that have the row, and replaced in it. */
interface CurrentRow {
	row: Row;
}

/** Collects one session's decisions without an index, each with what followed. `add` takes events by seq; memory is bounded. */
export function ledgerCollector(sessionId: string) {
	const rows = new Map<string, CurrentRow>();
	/** Rows after a decision are retained as long as it is: their calls may end late. */
	const retained = new Map<string, CurrentRow>();
	const lines = new Map<string, { line: LedgerEntry; following: CurrentRow[] }>();
	/** Decisions whose following rows are still missing. */
	let collecting: CurrentRow[][] = [];

	const find = (key: string) => rows.get(key) ?? retained.get(key);

	const session = new SessionFold(sessionId, { findRow: (key) => find(key)?.row, mostRows: 0 });

	function remember(row: Row): void {
		const known = find(row.key);
		if (known) {
			known.row = row;
			return;
		}
		const kept = { row };
		rows.set(row.key, kept);
		if (collecting.length > 0) retained.set(row.key, kept);
		for (const following of collecting) following.push(kept);
		collecting = collecting.filter(({ length }) => length < FOLLOWED_ROWS);
		const [oldest] = rows.size > KEPT_ROWS ? rows.keys() : [];
		if (oldest !== undefined) rows.delete(oldest);
	}

	function addEntry(line: LedgerEntry): void {
		const known = lines.get(line.rowKey);
		if (known) known.line = line;
		else if (lines.size < MAX_LINES) {
			const following: CurrentRow[] = [];
			collecting.push(following);
			lines.set(line.rowKey, { line, following });
		}
	}

	return {
		add(event: IndexedEvent): void {
			const step = session.add(event);
			for (const row of step.rows) remember(row);
			for (const line of ledgerOf(event, step)) addEntry(line);
		},
		lines(): DecisionRecord[] {
			const { agent = FIRST_AGENT, project, branch } = session.view;
			const source = { agent, ...(project && { project }), ...(branch && { branch }) };
			return Array.from(lines.values(), ({ line, following }) => ({
				...line,
				...source,
				followed: whatFollowed(
					line,
					following.map(({ row }) => row),
					session.view,
				),
			}));
		},
	};
}

/** How many rows after a decision are examined: later ones are unrelated. */
export const FOLLOWED_ROWS = 50;
const MAX_CALLS = 3;

/**
 * What happened after a line of the ledger: `rows` are those of its session that began after it, ascending; the view is the
 * current one.
 */
export function whatFollowed(
	{ agentId, at, denials }: Pick<DecisionRecord, 'agentId' | 'at' | 'denials'>,
	rows: readonly Row[],
	{ stageRuns = [], cwd }: Pick<SessionView, 'stageRuns' | 'cwd'>,
): Followed {
	const calls = rows.slice(0, FOLLOWED_ROWS).flatMap((row) => (row.call ? [{ row, call: row.call }] : []));
	const rules = new Set(denials.map(({ rule }) => rule));
	const again = calls.find(({ call }) => wasStopped(call) && call.verdicts.some(isDenialBy(rules)));
	const instant = Date.parse(at);
	const run = stageRuns.findLast(({ from, to }) => from <= instant && (to === null || instant <= to));
	return {
		calls: calls
			.filter(({ row }) => row.agentId === agentId)
			.slice(0, MAX_CALLS)
			.map(({ row, call }) => ({ ...callLine(row, call, cwd ?? null), outcome: ledgerOutcome(call) })),
		...(again && { again: callLine(again.row, again.call, cwd ?? null) }),
		...(run && { stage: { stage: run.stage, result: run.to === null ? null : (run.result ?? 'done') } }),
	};
}

const isDenialBy =
	(rules: ReadonlySet<string>) =>
	({ decision, rule }: CallView['verdicts'][number]) =>
		decision === 'deny' && rules.has(rule);

/** Paths are shown from the session's folder. */
const callLine = ({ key, at }: Row, { tool, title }: CallView, folder: string | null) => ({
	rowKey: key,
	at,
	tool,
	title: shortPath(title, folder),
});
