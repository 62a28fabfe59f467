import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { lastOf } from '#lib/session/session-list.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { HubRange } from '../../timeline/store/hub-store.ts';
import { type Query, sql } from '../database/database.ts';
import { dayOf } from './session-row.ts';

export const SUMMARY_COLUMNS = sql`project, day, seq, state, last_ms, hidden, alarmed, json`;

export interface SummaryLine {
	key: number;
	summary: SessionSummary;
}

/** Lines of the list as rows `m`. */
export function summaryRows(lines: readonly SummaryLine[]) {
	const all = lines.map(({ summary }) => summary);
	const hidden = all.map(({ reviewer, sessionId }) => reviewer === true || sessionId === HOME_SESSION);
	// Postgres has no NUL; in the JSON it is escaped.
	return sql`unnest(${lines.map(({ key }) => key)}::bigint[],
		${all.map(({ project }) => project?.replaceAll('\0', '') ?? null)}::text[],
		${all.map((summary) => dayOf(lastOf(summary)))}::int[], ${all.map(({ seq }) => seq)}::int[],
		${all.map(({ status }) => status)}::text[], ${all.map(lastOf)}::bigint[], ${hidden}::bool[],
		${all.map(({ alarms }) => alarms.length > 0)}::bool[], ${all.map((summary) => JSON.stringify(summary))}::text[]
	) AS m (skey, ${SUMMARY_COLUMNS})`;
}

export const REPLACE_SUMMARY = sql`ON CONFLICT (skey) DO UPDATE SET (${SUMMARY_COLUMNS}) = (excluded.project, excluded.day,
	excluded.seq, excluded.state, excluded.last_ms, excluded.hidden, excluded.alarmed, excluded.json)`;

/**
 * One statement writes many sessions. It locks rows in one order, so that replicas do not deadlock, and writes where the offset
 * is still the one that the writer read. Returns those keys.
 */
export function appendRanges(
	query: Query,
	ranges: readonly HubRange[],
	summaries: readonly SummaryLine[],
	{ fold, durably }: { fold: number; durably: boolean },
): Promise<{ key: number }[]> {
	const events = ranges.flatMap(({ key, events }) => events.map((of) => ({ key, ...of })));
	const rows = ranges.flatMap(({ key, rows }) => rows.map((row) => ({ key, row })));
	const ledger = ranges.flatMap(({ key, ledger }) => ledger.map((line) => ({ key, line })));
	const views = ranges.filter(({ checkpoint }) => checkpoint);
	const denied = events.map(
		({ event }) => event.type === 'gate:verdict' && 'decision' in event && event.decision === 'deny',
	);
	// Postgres has no NUL.
	const projects = ranges.map(({ view }) => view.project?.replaceAll('\0', '') ?? null);
	return query<{ key: number }>`
WITH want AS (
	SELECT * FROM unnest(${ranges.map(({ key }) => key)}::bigint[], ${ranges.map(({ from }) => from)}::bigint[],
		${ranges.map(({ to }) => to)}::bigint[], ${ranges.map(({ tailDigest }) => tailDigest)}::text[],
		${ranges.map(({ view }) => view.seq)}::int[], ${projects}::text[]) AS w (key, was, off, digest, seq, project)
), locked AS MATERIALIZED (
	SELECT s.key FROM sessions s JOIN want w ON w.key = s.key ORDER BY s.key FOR UPDATE OF s
), ok AS (
	UPDATE sessions s SET off = w.off, tail_digest = w.digest, seq = w.seq, fold = ${fold}, updated = now(),
		project = coalesce(s.project, w.project)
	FROM want w JOIN locked l ON l.key = w.key
	WHERE s.key = w.key AND s.off = w.was AND s.fold <= ${fold} AND NOT s.rolled AND s.archived_at IS NULL
	RETURNING s.key, s.part, s.edge, s.team, w.seq
), put_events AS (
	INSERT INTO events (part, skey, seq, id, row_key, denied, json)
	SELECT ok.part, e.skey, e.seq, e.id, e.row_key, e.denied, e.json FROM unnest(${events.map(({ key }) => key)}::bigint[],
		${events.map(({ event }) => event.seq)}::int[], ${events.map(({ event }) => event.id)}::text[],
		${events.map(({ rowKey }) => rowKey)}::text[], ${denied}::bool[],
		${events.map(({ event }) => JSON.stringify(event))}::text[]
	) AS e (skey, seq, id, row_key, denied, json) JOIN ok ON ok.key = e.skey
), put_rows AS (
	INSERT INTO rows (part, skey, key, seq, json) SELECT ok.part, r.skey, r.key, r.seq, r.json
	FROM unnest(${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ row }) => row.key)}::text[],
		${rows.map(({ row }) => row.seq)}::int[], ${rows.map(({ row }) => JSON.stringify(row))}::text[]
	) AS r (skey, key, seq, json) JOIN ok ON ok.key = r.skey
	ON CONFLICT (part, skey, key) DO UPDATE SET seq = excluded.seq, json = excluded.json
), put_ledger AS (
	INSERT INTO ledger (part, skey, key, at, json) SELECT ok.part, l.skey, l.key, l.at, l.json
	FROM unnest(${ledger.map(({ key }) => key)}::bigint[], ${ledger.map(({ line }) => line.rowKey)}::text[],
		${ledger.map(({ line }) => Date.parse(line.at))}::bigint[], ${ledger.map(({ line }) => JSON.stringify(line))}::text[]
	) AS l (skey, key, at, json) JOIN ok ON ok.key = l.skey
	ON CONFLICT (part, skey, key) DO UPDATE SET at = excluded.at, json = excluded.json
), put_views AS (
	INSERT INTO views (part, skey, seq, json) SELECT ok.part, v.skey, ok.seq, v.json
	FROM unnest(${views.map(({ key }) => key)}::bigint[], ${views.map(({ view }) => JSON.stringify(view))}::text[]
	) AS v (skey, json) JOIN ok ON ok.key = v.skey
	ON CONFLICT (part, skey) DO UPDATE SET seq = excluded.seq, json = excluded.json
), put_summaries AS (
	INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS})
	SELECT m.skey, ok.edge, ok.team, m.project, m.day, m.seq, m.state, m.last_ms, m.hidden, m.alarmed, m.json
	FROM ${summaryRows(summaries)} JOIN ok ON ok.key = m.skey ${REPLACE_SUMMARY}
)
SELECT key, set_config('synchronous_commit', ${durably ? 'on' : 'off'}, true) FROM ok`;
}

/** Changes of these fields are shown at once; all others may wait some seconds. */
export function urgentFields({ status, approvals, alarms, stuck, endedAt }: SessionSummary): string {
	const approvalIds = approvals.map(({ approvalId }) => approvalId).join();
	return [status, approvalIds, alarms.map(({ key }) => key).join(), stuck?.at, endedAt].join('|');
}

/** Writing a line costs as much as three events. */
const BETWEEN_MS = 5000;
const MAX_KNOWN = 20_000;

/** Chooses which lines of the list are written now; the newest of each waits. */
export function createSummaryThrottle(now: () => number) {
	const written = new LruMap<number, { urgent: string; at: number }>(MAX_KNOWN);
	const waiting = new Map<number, SummaryLine>();

	return {
		due(ranges: readonly HubRange[]): SummaryLine[] {
			return ranges.filter(({ key, summary, events }) => {
				const before = written.get(key);
				if (before?.urgent === urgentFields(summary)) return events.length > 0 && now() - before.at >= BETWEEN_MS;
				return true;
			});
		},
		noteWritten(ranges: readonly HubRange[], summaries: readonly SummaryLine[]) {
			for (const { key, summary } of ranges) waiting.set(key, { key, summary });
			for (const { key, summary } of summaries) {
				waiting.delete(key);
				written.set(key, { urgent: urgentFields(summary), at: now() });
			}
		},
		removeWaiting(): SummaryLine[] {
			const lines = [...waiting.values()];
			waiting.clear();
			for (const { key, summary } of lines) written.set(key, { urgent: urgentFields(summary), at: now() });
			return lines;
		},
	};
}
