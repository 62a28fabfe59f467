import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { HubRange } from '../../timeline/store/hub-store.ts';
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

/** A line that only counts on is written at most this often: it costs as much as three events. */
const BETWEEN_MS = 5000;
const MOST_KNOWN = 20_000;

/** Chooses which lines of the list are written now; the others wait, and the newest of each is not forgotten. */
export function createSummaryThrottle(now: () => number) {
	const written = new LruMap<number, { stand: string; at: number }>(MOST_KNOWN);
	const waiting = new Map<number, SummaryLine>();

	return {
		/** Those of the ranges that are due. */
		due(ranges: readonly HubRange[]): SummaryLine[] {
			return ranges.filter(({ key, summary, events }) => {
				const before = written.get(key);
				if (before?.stand === standOf(summary)) return events.length > 0 && now() - before.at >= BETWEEN_MS;
				return true;
			});
		},
		/** After the write: what was told, and what waits from now on. */
		settle(ranges: readonly HubRange[], told: readonly SummaryLine[]) {
			for (const { key, summary } of ranges) waiting.set(key, { key, summary });
			for (const { key, summary } of told) {
				waiting.delete(key);
				written.set(key, { stand: standOf(summary), at: now() });
			}
		},
		/** All that waits; it waits no more. */
		take(): SummaryLine[] {
			const lines = [...waiting.values()];
			waiting.clear();
			for (const { key, summary } of lines) written.set(key, { stand: standOf(summary), at: now() });
			return lines;
		},
	};
}
