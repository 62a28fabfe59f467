import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { dayOf } from './session-place.ts';

/** What a line of the list is written into, beside whose it is. */
export const SUMMARY_COLUMNS = 'project, day, seq, state, last_ms, hidden, alarmed, json';

/** A line of the list, and the number of its session. */
export interface SummaryLine {
	key: number;
	summary: SessionSummary;
}

/** One list a column, the key first. */
export function summaryValues(lines: readonly SummaryLine[]): unknown[] {
	const all = lines.map(({ summary }) => summary);
	const lastOf = ({ endedAt, lastAt, startedAt }: SessionSummary) =>
		Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0;
	return [
		lines.map(({ key }) => key),
		// Beside that in the JSON, where it is escaped: Postgres takes no NUL.
		all.map(({ project }) => project?.replaceAll('\0', '') ?? null),
		all.map((summary) => dayOf(lastOf(summary))),
		all.map(({ seq }) => seq),
		all.map(({ status }) => status),
		all.map(lastOf),
		all.map(({ reviewer, sessionId }) => reviewer === true || sessionId === HOME_SESSION),
		all.map(({ alarms }) => alarms.length > 0),
		all.map((summary) => JSON.stringify(summary)),
	];
}

/** What a reader of the list must hear of at once; all else may wait some seconds. */
export function standOf({ status, approvals, alarms, stuck, endedAt }: SessionSummary): string {
	const asked = approvals.map(({ approvalId }) => approvalId).join();
	return [status, asked, alarms.map(({ key }) => key).join(), stuck?.at, endedAt].join('|');
}
