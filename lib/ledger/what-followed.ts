import type { DecisionRecord, Followed } from '../contract/archives/decisions.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { wasStopped } from '../session/call.ts';
import { cameTo } from './ledger-of.ts';

/** So many rows after a decision are looked at: what comes later is another story. */
export const FOLLOWED_ROWS = 50;
const MOST_CALLS = 3;

/**
 * What happened after a line of the ledger: `rows` are those of its session that began after it, ascending, and the view
 * is as the session stands.
 */
export function whatFollowed(
	{ agentId, at, denials }: Pick<DecisionRecord, 'agentId' | 'at' | 'denials'>,
	rows: readonly Row[],
	{ stageRuns = [] }: Pick<SessionView, 'stageRuns'>,
): Followed {
	const calls = rows.slice(0, FOLLOWED_ROWS).flatMap((row) => (row.call ? [{ row, call: row.call }] : []));
	const rules = new Set(denials.map(({ rule }) => rule));
	const again = calls.find(({ call }) => wasStopped(call) && call.verdicts.some(isDenialBy(rules)));
	const instant = Date.parse(at);
	const run = stageRuns.findLast(({ from, to }) => from <= instant && (to === null || instant <= to));
	return {
		calls: calls
			.filter(({ row }) => row.agentId === agentId)
			.slice(0, MOST_CALLS)
			.map(({ row, call }) => ({ ...told(row, call), outcome: cameTo(call) })),
		...(again && { again: told(again.row, again.call) }),
		...(run && { stage: { stage: run.stage, result: run.to === null ? null : (run.result ?? 'done') } }),
	};
}

const isDenialBy =
	(rules: ReadonlySet<string>) =>
	({ decision, rule }: CallView['verdicts'][number]) =>
		decision === 'deny' && rules.has(rule);

const told = ({ key, at }: Row, { tool, title }: CallView) => ({ rowKey: key, at, tool, title });
