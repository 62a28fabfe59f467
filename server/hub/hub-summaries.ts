import {
	type ListGroup,
	listGroups,
	type SessionCounts,
	type SessionSummary,
	type SessionsPage,
} from '#lib/contract/read-model/session-summary.ts';
import { findSessions } from '#lib/session/find-sessions.ts';
import { DAY_MS, dayStart } from '#lib/session/list-group.ts';
import type { PageWish } from '#lib/session/session-page.ts';
import type { HubScope } from '../store/hub-store.ts';
import type { Ask } from './database.ts';
import { IN_SCOPE, scopeValues } from './hub-reads.ts';
import { dayOf, nameOf, readName } from './session-place.ts';

/** A page has so many at most. */
const MOST = 200;
/** Of words that many sessions may have, so many of the newest sessions are looked through. */
const MOST_SEARCHED = 2000;

interface FoundLine {
	edge: number;
	session_id: string;
	last_ms: number;
	skey: number;
	json: string;
}

const FROM = `FROM summaries m JOIN sessions s ON s.key = m.skey WHERE ${IN_SCOPE} AND NOT s.rewritten`;
/** Who was heard of last stands first, the number decides between equals. */
const ORDER = 'ORDER BY m.day DESC, m.last_ms DESC, m.skey DESC';

/** A page of the list, out of the lines that were written beside the events. Their `status` is as of the last event. */
export async function readSummaries(ask: Ask, scope: HubScope, wish: PageWish): Promise<SessionsPage> {
	const { now, zone = 0, limit = MOST, before, ids, alarmed = false, q = '', make } = wish;
	const [, last = null, key = null] = /^(\d{1,16})-(\d{1,15})$/.exec(before ?? '') ?? [];
	const names = ids?.flatMap((id) => readName(id) ?? []);
	const isSearch = q !== '' || make !== undefined;
	const size = isSearch ? MOST_SEARCHED : Math.min(limit, MOST);
	const found = await ask<FoundLine>(
		`SELECT m.edge, s.session_id, m.last_ms, m.skey, m.json ${FROM} AND (NOT m.hidden OR $7::int[] IS NOT NULL)
		AND ($3::bigint IS NULL OR m.day < $5 OR (m.day = $5 AND (m.last_ms, m.skey) < ($3, $4)))
		AND (NOT $6 OR (m.alarmed AND m.last_ms >= $9))
		AND ($7::int[] IS NULL OR (m.edge, s.session_id) IN (SELECT * FROM unnest($7::int[], $8::text[]))) ${ORDER} LIMIT $10`,
		[
			...scopeValues(scope),
			...[last, key, last === null ? 0 : dayOf(Number(last)), alarmed],
			...[names?.map(({ edge }) => edge) ?? null, names?.map(({ sessionId }) => sessionId) ?? null],
			...[dayStart(now, zone) - DAY_MS, size + 1],
		],
	);
	const lines = found.slice(0, size).map((line) => ({ line, summary: summaryOf(line) }));
	const wanted = new Set(
		findSessions(
			lines.map(({ summary }) => summary).filter(({ agent }) => make === undefined || agent === make),
			q,
		),
	);
	const matching = lines.filter(({ summary }) => wanted.has(summary));
	const page = matching.slice(0, limit);
	const end = page.at(-1)?.line;
	const isMore = matching.length > page.length || (!isSearch && found.length > size);
	return {
		sessions: page.map(({ summary }) => summary),
		counts: await countSummaries(ask, scope, wish),
		next: isMore && end ? `${end.last_ms}-${end.skey}` : null,
	};
}

const summaryOf = ({ edge, session_id, json }: FoundLine): SessionSummary => ({
	...(JSON.parse(json) as SessionSummary),
	sessionId: nameOf({ edge, sessionId: session_id }),
});

/** The headings are those of `listGroupOf`, counted where the lines are. */
async function countSummaries(ask: Ask, scope: HubScope, { now, zone = 0 }: PageWish): Promise<SessionCounts> {
	const midnight = dayStart(now, zone);
	const found = await ask<{ heading: ListGroup; all: number; alarmed: number }>(
		`SELECT CASE WHEN m.state IN ('running', 'waiting') THEN 'Running'
				WHEN m.last_ms < $3 OR m.last_ms >= $4 THEN 'Older'
				WHEN m.state = 'idle' THEN 'Idle' ELSE 'Ended today' END AS heading,
			count(*) AS all, count(*) FILTER (WHERE m.alarmed AND m.last_ms >= $5) AS alarmed
		${FROM} AND NOT m.hidden GROUP BY 1`,
		[...scopeValues(scope), midnight, midnight + DAY_MS, midnight - DAY_MS],
	);
	const groups = Object.fromEntries(listGroups.map((name) => [name, 0])) as Record<ListGroup, number>;
	for (const { heading, all } of found) groups[heading] = all;
	const sum = (of: 'all' | 'alarmed') => found.reduce((total, line) => total + line[of], 0);
	return { all: sum('all'), groups, alarmed: sum('alarmed') };
}
