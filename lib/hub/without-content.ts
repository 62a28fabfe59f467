import type { LedgerEntry } from '../contract/archives/decisions.ts';
import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import { defined } from '../json/json.ts';

/** What an auditor may read of a session. Fields are listed explicitly, so that new ones are left out. */
export function summaryWithoutContent(summary: SessionSummary): SessionSummary {
	const { sessionId, seq, status, agent, project, machine, reviewer, workflow, paused, stages, agents } = summary;
	const { busy, quiet, startedAt, lastAt, endedAt, turnAt, counts, usage, spark } = summary;
	return {
		sessionId,
		seq,
		status,
		agent,
		stages,
		agents,
		counts,
		spark,
		...defined({
			project,
			machine,
			reviewer,
			workflow,
			paused,
			busy,
			quiet,
			startedAt,
			lastAt,
			endedAt,
			turnAt,
			usage,
		}),
		judgements: [],
		alarms: [],
		approvals: [],
	};
}

/** What an auditor may read of a decision: no title, reason, input or text of a gate. */
export function decisionWithoutContent(entry: LedgerEntry): LedgerEntry {
	const { sessionId, rowKey, seq, at, askedAt, tool, denials, state, outcome, by, decideMs } = entry;
	const { isDenied, isOverridden, isStop } = entry;
	return {
		sessionId,
		rowKey,
		seq,
		at,
		tool,
		title: tool,
		state,
		outcome,
		isDenied,
		isOverridden,
		denials: denials.map(({ gate, rule }) => ({ gate, rule, reason: '' })),
		...defined({ askedAt, by, decideMs, isStop }),
	};
}
