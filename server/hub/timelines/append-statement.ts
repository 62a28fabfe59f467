import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { HubRange } from '../../timeline/store/hub-store.ts';
import { dayOf } from './session-place.ts';

export const SUMMARY_COLUMNS = 'project, day, seq, state, last_ms, hidden, alarmed, json';

/**
 * One statement writes many sessions. `locked` takes rows in one order, so that replicas do not deadlock; `ok` are
 * those whose offset is still what the writer read.
 */
export const APPEND = `
WITH want AS (
	SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::int[], $33::text[])
		AS w (key, was, off, digest, seq, fold, project)
), locked AS MATERIALIZED (
	SELECT s.key FROM sessions s JOIN want w ON w.key = s.key ORDER BY s.key FOR UPDATE OF s
), ok AS (
	UPDATE sessions s SET off = w.off, tail_digest = w.digest, seq = w.seq, fold = w.fold, updated = now(),
		project = coalesce(s.project, w.project)
	FROM want w JOIN locked l ON l.key = w.key
	WHERE s.key = w.key AND s.off = w.was AND s.fold <= w.fold AND NOT s.rolled AND s.archived_at IS NULL
	RETURNING s.key, s.part, s.edge, s.team, w.seq
), put_events AS (
	INSERT INTO events (part, skey, seq, id, row_key, denied, json)
	SELECT ok.part, e.skey, e.seq, e.id, e.row_key, e.denied, e.json
	FROM unnest($7::bigint[], $8::int[], $9::text[], $10::text[], $11::bool[], $12::text[])
		AS e (skey, seq, id, row_key, denied, json) JOIN ok ON ok.key = e.skey
), put_rows AS (
	INSERT INTO rows (part, skey, key, seq, json)
	SELECT ok.part, r.skey, r.key, r.seq, r.json
	FROM unnest($13::bigint[], $14::text[], $15::int[], $16::text[]) AS r (skey, key, seq, json) JOIN ok ON ok.key = r.skey
	ON CONFLICT (part, skey, key) DO UPDATE SET seq = excluded.seq, json = excluded.json
), put_ledger AS (
	INSERT INTO ledger (part, skey, key, at, json)
	SELECT ok.part, l.skey, l.key, l.at, l.json
	FROM unnest($17::bigint[], $18::text[], $19::bigint[], $20::text[]) AS l (skey, key, at, json) JOIN ok ON ok.key = l.skey
	ON CONFLICT (part, skey, key) DO UPDATE SET at = excluded.at, json = excluded.json
), put_views AS (
	INSERT INTO views (part, skey, seq, json)
	SELECT ok.part, v.skey, ok.seq, v.json
	FROM unnest($21::bigint[], $22::text[]) AS v (skey, json) JOIN ok ON ok.key = v.skey
	ON CONFLICT (part, skey) DO UPDATE SET seq = excluded.seq, json = excluded.json
), put_summaries AS (
	INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS})
	SELECT m.skey, ok.edge, ok.team, m.project, m.day, m.seq, m.state, m.last_ms, m.hidden, m.alarmed, m.json
	FROM unnest($23::bigint[], $24::text[], $25::int[], $26::int[], $27::text[], $28::bigint[], $29::bool[], $30::bool[],
		$31::text[]) AS m (skey, ${SUMMARY_COLUMNS}) JOIN ok ON ok.key = m.skey
	ON CONFLICT (skey) DO UPDATE SET (${SUMMARY_COLUMNS}) = (excluded.project, excluded.day, excluded.seq, excluded.state,
		excluded.last_ms, excluded.hidden, excluded.alarmed, excluded.json)
)
SELECT key, set_config('synchronous_commit', $32, true) FROM ok`;

export function appendValues(
	ranges: readonly HubRange[],
	summaries: readonly SummaryLine[],
	{ fold, durably }: { fold: number; durably: boolean },
): unknown[] {
	const events = ranges.flatMap(({ key, events }) => events.map((of) => ({ key, ...of })));
	const rows = ranges.flatMap(({ key, rows }) => rows.map((row) => ({ key, row })));
	const ledger = ranges.flatMap(({ key, ledger }) => ledger.map((line) => ({ key, line })));
	const views = ranges.filter(({ checkpoint }) => checkpoint);
	return [
		ranges.map(({ key }) => key),
		ranges.map(({ from }) => from),
		ranges.map(({ to }) => to),
		ranges.map(({ tailDigest }) => tailDigest),
		ranges.map(({ view }) => view.seq),
		ranges.map(() => fold),
		events.map(({ key }) => key),
		events.map(({ event }) => event.seq),
		events.map(({ event }) => event.id),
		events.map(({ rowKey }) => rowKey),
		events.map(({ event }) => event.type === 'gate:verdict' && 'decision' in event && event.decision === 'deny'),
		events.map(({ event }) => JSON.stringify(event)),
		rows.map(({ key }) => key),
		rows.map(({ row }) => row.key),
		rows.map(({ row }) => row.seq),
		rows.map(({ row }) => JSON.stringify(row)),
		ledger.map(({ key }) => key),
		ledger.map(({ line }) => line.rowKey),
		ledger.map(({ line }) => Date.parse(line.at)),
		ledger.map(({ line }) => JSON.stringify(line)),
		views.map(({ key }) => key),
		views.map(({ view }) => JSON.stringify(view)),
		...summaryValues(summaries),
		durably ? 'on' : 'off',
		// Postgres has no NUL.
		ranges.map(({ view }) => view.project?.replaceAll('\0', '') ?? null),
	];
}

export interface SummaryLine {
	key: number;
	summary: SessionSummary;
}

export function summaryValues(lines: readonly SummaryLine[]): unknown[] {
	const all = lines.map(({ summary }) => summary);
	const lastOf = ({ endedAt, lastAt, startedAt }: SessionSummary) =>
		Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0;
	return [
		lines.map(({ key }) => key),
		// Postgres has no NUL; in the JSON it is escaped.
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

/** Changes of this are shown at once; all else may wait some seconds. */
export function standOf({ status, approvals, alarms, stuck, endedAt }: SessionSummary): string {
	const approvalIds = approvals.map(({ approvalId }) => approvalId).join();
	return [status, approvalIds, alarms.map(({ key }) => key).join(), stuck?.at, endedAt].join('|');
}

/** Writing a line costs as much as three events. */
const BETWEEN_MS = 5000;
const MOST_KNOWN = 20_000;

/** Chooses which lines of the list are written now; the newest of each waits. */
export function createSummaryThrottle(now: () => number) {
	const written = new LruMap<number, { stand: string; at: number }>(MOST_KNOWN);
	const waiting = new Map<number, SummaryLine>();

	return {
		due(ranges: readonly HubRange[]): SummaryLine[] {
			return ranges.filter(({ key, summary, events }) => {
				const before = written.get(key);
				if (before?.stand === standOf(summary)) return events.length > 0 && now() - before.at >= BETWEEN_MS;
				return true;
			});
		},
		settle(ranges: readonly HubRange[], summaries: readonly SummaryLine[]) {
			for (const { key, summary } of ranges) waiting.set(key, { key, summary });
			for (const { key, summary } of summaries) {
				waiting.delete(key);
				written.set(key, { stand: standOf(summary), at: now() });
			}
		},
		take(): SummaryLine[] {
			const lines = [...waiting.values()];
			waiting.clear();
			for (const { key, summary } of lines) written.set(key, { stand: standOf(summary), at: now() });
			return lines;
		},
	};
}
