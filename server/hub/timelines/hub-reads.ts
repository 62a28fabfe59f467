import type { LedgerEntry } from '#lib/contract/archives/decisions.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { foldAgain } from '#lib/ingest/fold-lines.ts';
import { foldCase, hasTerms, saidText } from '#lib/search/said-text.ts';
import { emptyView } from '#lib/session/fold.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type HubDatabase, literal, type Query, sql } from '../database/database.ts';
import type { Archives } from './archives.ts';
import { loadStored } from './load-session.ts';
import { AFTER_NEWEST, createRolledReads, databaseReads, openRoll } from './session-rolls.ts';
import {
	readMachine,
	SESSION_COLUMNS,
	type SessionRow,
	type StoredSession,
	scopeFilter,
	storedSession,
} from './session-row.ts';

type Events = SessionReads['events'];

/** A ledger line that continued in a newer roll counts there. */
const NEWEST_LINE = sql`(NOT s.rolled OR NOT EXISTS (SELECT 1 FROM sessions n JOIN ledger k ON k.part = n.part AND k.skey = n.key
	AND k.key = l.key WHERE n.edge = s.edge AND n.session_id = s.session_id AND n.gen = s.gen AND n.roll > s.roll))`;

const MAX_RECENT = 200;
/** Saves folding up to 255 events for each reader. Valid only for the same version of the fold. */
type RecentViews = LruMap<number, { fold: number; view: SessionView }>;
export const recentViews = (): RecentViews => new LruMap(MAX_RECENT);

interface ReadParts {
	database: HubDatabase;
	archives: Archives;
	recent: RecentViews;
	fold: number;
	refold: (session: StoredSession) => Promise<void>;
}

export function createHubReads({ database, archives, recent, fold, refold }: ReadParts, scope: HubReach): SessionReads {
	const { query } = database;

	async function findRolls(name: string, by: Query = query): Promise<StoredSession[]> {
		const wanted = readHubName(name);
		if (!wanted) return [];
		const lines =
			await by<SessionRow>`SELECT ${SESSION_COLUMNS} FROM (SELECT s.edge, s.session_id, s.gen FROM sessions s
				WHERE ${scopeFilter(scope)} AND s.edge = ${wanted.edge} AND s.session_id = ${wanted.sessionId}
				ORDER BY s.gen DESC, s.roll DESC LIMIT 1) AS newest
			JOIN sessions s USING (edge, session_id, gen) ORDER BY s.roll`;
		const rolls = lines.map(storedSession);
		const newest = rolls.at(-1)?.archived;
		// Nothing of it was stored.
		return newest && !newest.stored ? [] : rolls;
	}

	const find = async (name: string, by?: Query) => (await findRolls(name, by)).at(-1);
	const open = (roll: StoredSession) => openRoll(query, roll, archives);
	async function renewed<T extends { session: StoredSession }>(read: () => Promise<T | undefined>) {
		const found = await read();
		if (!found || found.session.archived || found.session.fold >= fold) return found;
		await refold(found.session);
		return read();
	}

	async function readIn(name: string) {
		const found = await renewed(async () => {
			const rolls = await findRolls(name);
			const session = rolls.at(-1);
			return session && { session, rolls };
		});
		return createRolledReads(found?.rolls ?? [], open);
	}
	const readEvents = async (rolls: readonly StoredSession[], name: string, range: Parameters<Events>[1]) =>
		(await createRolledReads(rolls, open).events(range)).map((event) => ({ ...event, sessionId: name }));

	/** Undefined if archived: no request to the store while a database connection is held. */
	async function viewAtOnce(session: StoredSession, by: Query): Promise<SessionView | undefined> {
		if (session.archived) return;
		const known = recent.get(session.key);
		const isOurs = session.fold <= fold && known?.fold === session.fold;
		const loaded = await loadStored(by, session, isOurs ? known?.view : undefined);
		const view = foldAgain(loaded.view ?? emptyView(session.sessionId), loaded.events);
		recent.set(session.key, { fold: session.fold, view });
		return view;
	}

	async function finish(session: StoredSession, current: SessionView | undefined): Promise<SessionView> {
		const machine = await readMachine(query, session.edge);
		const { at, stored } = session.archived ?? {};
		const view = current ?? (stored ? await (await archives.open(stored)).view() : emptyView(session.sessionId));
		const more = { ...(machine && { machine }), ...(at && { archivedAt: at.toISOString() }) };
		return { ...view, sessionId: hubNameOf(session), ...more };
	}

	return {
		async headOf(name) {
			const session = await find(name);
			return session && { epoch: session.epoch, seq: session.seq };
		},
		async snapshot(name, limit) {
			const read = async (by: Query) => {
				const rolls = await findRolls(name, by);
				const session = rolls.at(-1);
				if (!session) return;
				const rows = new Map<number, Row[]>();
				const newest = { after: -1, before: AFTER_NEWEST, limit, forward: false };
				// Archives do not change: they are read afterwards.
				for (const roll of rolls) if (!roll.archived) rows.set(roll.key, await databaseReads(by, roll).rows(newest));
				return { rolls, session, rows, view: await viewAtOnce(session, by) };
			};
			const found = await renewed(() => database.atOnce(read));
			if (!found) return;
			const { rolls, session, rows, view } = found;
			const reads = createRolledReads(rolls, async (roll) => {
				const read = rows.get(roll.key);
				return { ...(await open(roll)), ...(read && { rows: async () => read }) };
			});
			return { epoch: session.epoch, view: await finish(session, view), rows: await reads.rows({ limit }) };
		},
		async eventsSince(name, { epoch, ...range }) {
			const rolls = await findRolls(name);
			return rolls.at(-1)?.epoch === epoch ? readEvents(rolls, name, range) : null;
		},
		async view(name) {
			const read = async (by: Query) => {
				const session = await find(name, by);
				return session && { session, view: await viewAtOnce(session, by) };
			};
			const found = await renewed(() => database.atOnce(read));
			return found && finish(found.session, found.view);
		},
		row: async (name, key) => (await readIn(name)).row(key),
		rows: async (name, range) => (await readIn(name)).rows(range),
		timesOf: async (name, seqs) => (await readIn(name)).times(seqs),
		events: async (name, range) => readEvents(await findRolls(name), name, range),
		knownIds: async (name, ids) => (await readIn(name)).known(ids),
		async denials(limit) {
			const found = await query<{ edge: number; session_id: string; json: string }>`SELECT s.edge, s.session_id, e.json
				FROM events e JOIN sessions s ON s.key = e.skey WHERE e.denied AND ${scopeFilter(scope)}
				ORDER BY e.at DESC, e.seq DESC LIMIT ${limit}`;
			return found.map(({ edge, session_id, json }) => named(json, hubNameOf({ edge, sessionId: session_id })));
		},
		find: findText(query, scope),
		async ledger({ since, until, before, limit }) {
			const [at, key, row] = readPosition(before);
			const found = await query<{ place: string; json: string; edge: number; session_id: string }>`
				SELECT concat_ws('-', l.at, l.skey, l.key) AS place, l.json, s.edge, s.session_id
				FROM ledger l JOIN sessions s ON s.key = l.skey WHERE ${scopeFilter(scope)} AND ${NEWEST_LINE}
				AND l.at >= ${since ? Date.parse(since) : 0} AND l.at < ${until ? Date.parse(until) : 8.64e15}
				AND (${at}::bigint IS NULL OR (l.at, l.skey, l.key) < (${at}, ${key}, ${row}))
				ORDER BY l.at DESC, l.skey DESC, l.key DESC LIMIT ${limit}`;
			return found.map(({ place, json, edge, session_id: sessionId }) => ({
				line: { ...(JSON.parse(json) as LedgerEntry), sessionId: hubNameOf({ edge, sessionId }) },
				place,
			}));
		},
	};
}

const named = (json: string, sessionId: string): IndexedEvent => ({ ...(JSON.parse(json) as IndexedEvent), sessionId });

function readPosition(position: string | undefined): [number, number, string] | [null, null, null] {
	const [, at, key, row] = /^(\d{1,16})-(\d{1,15})-(.*)$/s.exec(position ?? '') ?? [];
	return at === undefined ? [null, null, null] : [Number(at), Number(key), row ?? ''];
}

/** Most events that Postgres looks through for one answer; at 0.9 KB each a fraction of a second. */
const MAX_LOOKED = 20_000;
const SESSIONS = 500;
const PAGE = 200;

/** A position in one number: the session's number and a seq. No session has more events than this. */
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
 * Searches sessions of a scope, newest first, without those in the object store. Texts have no index: it would cost more than
 * writing them.
 */
function findText(query: Query, scope: HubReach): SessionReads['find'] {
	return async (terms, before, take) => {
		if (terms.length === 0) return null;
		const newest = before === undefined ? null : Math.floor(before / SEQS);
		const sessions = await query<SearchedSession>`SELECT s.key, s.part, s.base, s.seq FROM sessions s
			WHERE ${scopeFilter(scope)} AND s.archived_at IS NULL AND NOT s.rewritten AND s.seq > s.base
			AND (${newest}::bigint IS NULL OR s.key <= ${newest}) ORDER BY s.key DESC LIMIT ${literal(SESSIONS)}`;
		const { ranges, next } = rangesBefore(sessions, before);
		const [parts, keys, firsts, pasts] = (['part', 'key', 'first', 'past'] as const).map((of) =>
			ranges.map((range) => range[of]),
		);
		const found = await query<Found>`SELECT s.key, s.edge, s.session_id, e.seq, e.row_key, e.json
			FROM unnest(${parts}::int[], ${keys}::bigint[], ${firsts}::int[], ${pasts}::int[]) AS w (part, key, first, past)
			JOIN sessions s ON s.key = w.key CROSS JOIN LATERAL (
				SELECT seq, row_key, json FROM events WHERE part = w.part AND skey = w.key AND seq >= w.first AND seq < w.past
				AND json ILIKE ALL (${terms.map(patternOf)}::text[]) ORDER BY seq DESC LIMIT ${literal(PAGE)}
			) AS e ORDER BY s.key DESC, e.seq DESC LIMIT ${literal(PAGE)}`;
		for (const { key, edge, session_id, seq, row_key: rowKey, json } of found) {
			const event = named(json, hubNameOf({ edge, sessionId: session_id }));
			const text = saidText(event);
			const pos = positionOf(key, seq);
			if (hasTerms(foldCase(text), terms) && take({ pos, rowKey, event, text })) return pos;
		}
		const last = found.at(-1);
		return last && found.length === PAGE ? positionOf(last.key, last.seq) : next;
	};
}

/** The events of these sessions to search next, and the position after them; null if none are left. */
function rangesBefore(sessions: readonly SearchedSession[], before: number | undefined) {
	const ranges: { part: number; key: number; first: number; past: number }[] = [];
	let left = MAX_LOOKED;
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

/** A LIKE pattern for every JSON text that may contain this term: characters that JSON can write in several ways become wildcards. */
function patternOf(term: string): string {
	return `%${term.replaceAll(/[^!-~\p{Script=Han}]|["\\%_]/gu, '%')}%`.replaceAll(/%+/g, '%');
}
