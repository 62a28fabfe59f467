import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { foldCase, hasTerms, saidText } from '#lib/search/said-text.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { Ask } from '../database/database.ts';
import { IN_SCOPE, scopeValues } from './session-place.ts';

/** Most events that Postgres looks through for one answer; at 0.9 KB each a fraction of a second. */
const MOST_LOOKED = 20_000;
const SESSIONS = 500;
const PAGE = 200;

/** A position is a session's number and a seq in one number: more events than that no session has. */
const SEQS = 2 ** 23;
const positionOf = (key: number, seq: number): number => key * SEQS + Math.min(seq, SEQS - 1);

interface SearchedSession {
	key: number;
	part: number;
	base: number;
	seq: number;
}

interface Found {
	key: number;
	edge: number;
	session_id: string;
	seq: number;
	row_key: string;
	json: string;
}

/**
 * Finds what was said in the sessions of a scope, those that began last first; sessions that are packed in the object store
 * are not searched. Events have no index over their text: it would cost more than writing them.
 */
export function findText(ask: Ask, scope: HubScope): SessionReads['find'] {
	return async (terms, before, take) => {
		if (terms.length === 0) return null;
		const sessions = await ask<SearchedSession>(
			`SELECT s.key, s.part, s.base, s.seq FROM sessions s WHERE ${IN_SCOPE} AND s.archived_at IS NULL AND NOT s.rewritten
			AND s.seq > s.base AND ($3::bigint IS NULL OR s.key <= $3) ORDER BY s.key DESC LIMIT ${SESSIONS}`,
			[...scopeValues(scope), before === undefined ? null : Math.floor(before / SEQS)],
		);
		const { ranges, next } = rangesBefore(sessions, before);
		const found = await ask<Found>(
			`SELECT s.key, s.edge, s.session_id, e.seq, e.row_key, e.json
			FROM unnest($1::int[], $2::bigint[], $3::int[], $4::int[]) AS w (part, key, first, past) JOIN sessions s ON s.key = w.key
			CROSS JOIN LATERAL (
				SELECT seq, row_key, json FROM events WHERE part = w.part AND skey = w.key AND seq >= w.first AND seq < w.past
				AND json ILIKE ALL ($5::text[]) ORDER BY seq DESC LIMIT ${PAGE}
			) AS e ORDER BY s.key DESC, e.seq DESC LIMIT ${PAGE}`,
			[
				...(['part', 'key', 'first', 'past'] as const).map((of) => ranges.map((range) => range[of])),
				terms.map(patternOf),
			],
		);
		for (const { key, edge, session_id, seq, row_key: rowKey, json } of found) {
			const event = { ...(JSON.parse(json) as IndexedEvent), sessionId: hubNameOf({ edge, sessionId: session_id }) };
			const text = saidText(event);
			const pos = positionOf(key, seq);
			if (hasTerms(foldCase(text), terms) && take({ pos, rowKey, event, text })) return pos;
		}
		const last = found.at(-1);
		return last && found.length === PAGE ? positionOf(last.key, last.seq) : next;
	};
}

/** Which events of these sessions are looked through, and the position behind them; null where nothing is left. */
function rangesBefore(sessions: readonly SearchedSession[], before: number | undefined) {
	const ranges: { part: number; key: number; first: number; past: number }[] = [];
	let left = MOST_LOOKED;
	let next: number | null = null;
	for (const { key, part, base, seq } of sessions) {
		const isBegun = before !== undefined && Math.floor(before / SEQS) === key;
		const past = isBegun ? Math.min(before % SEQS, seq + 1) : seq + 1;
		const first = Math.max(base + 1, past - left);
		if (first < past) ranges.push({ part, key, first, past });
		left -= Math.max(0, past - first);
		next = positionOf(key, first);
		if (left === 0) return { ranges, next };
	}
	return { ranges, next: sessions.length === SESSIONS ? next : null };
}

/** Matches every JSON that may hold this term: what is written in more than one way stands for anything. */
function patternOf(term: string): string {
	return `%${term.replaceAll(/[^!-~\p{Script=Han}]|["\\%_]/gu, '%')}%`.replaceAll(/%+/g, '%');
}
