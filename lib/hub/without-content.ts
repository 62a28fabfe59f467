import type { LedgerEntry } from '../contract/archives/decisions.ts';
import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';

/** What an auditor sees of a session: fields are named, so that a new field is left out. */
const KEPT: readonly (keyof SessionSummary)[] = [
	...([
		'sessionId',
		'seq',
		'status',
		'agent',
		'project',
		'machine',
		'reviewer',
		'workflow',
		'paused',
		'stages',
	] as const),
	...(['agents', 'busy', 'quiet', 'startedAt', 'lastAt', 'endedAt', 'turnAt', 'counts', 'usage', 'spark'] as const),
];

export function summaryWithoutContent(summary: SessionSummary): SessionSummary {
	const kept = KEPT.filter((name) => summary[name] !== undefined).map((name) => [name, summary[name]]);
	return { ...Object.fromEntries(kept), judgements: [], alarms: [], approvals: [] };
}

export function decisionWithoutContent(entry: LedgerEntry): LedgerEntry {
	const { sessionId, rowKey, seq, at, askedAt, tool, denials, state, outcome, by, decideMs } = entry;
	const { isDenied, isOverridden, isStop } = entry;
	return {
		...{ sessionId, rowKey, seq, at, tool, title: tool, state, outcome, isDenied, isOverridden },
		denials: denials.map(({ gate, rule }) => ({ gate, rule, reason: '' })),
		...(askedAt !== undefined && { askedAt }),
		...(by && { by }),
		...(decideMs !== undefined && { decideMs }),
		...(isStop && { isStop }),
	};
}
