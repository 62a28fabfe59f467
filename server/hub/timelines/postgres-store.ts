import DataLoader from 'dataloader';
import { SESSIONS_A_FRAME } from '#lib/contract/hub/hub-wire.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubReach } from '#lib/hub/may.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { StoredRows } from '#lib/ingest/fold-lines.ts';
import type { PageRequest } from '#lib/session/session-page.ts';
import { LruMap } from '../../process/lru-map.ts';
import {
	type AppendResult,
	ArchiveAwaited,
	type HubCheckpoint,
	type HubRange,
	type HubSession,
	NoRoom,
} from '../../timeline/store/hub-store.ts';
import { type HubDatabase, type Query, refusalOf } from '../database/database.ts';
import {
	appendRanges,
	createSummaryThrottle,
	REPLACE_SUMMARY,
	SUMMARY_COLUMNS,
	type SummaryLine,
	summaryRows,
} from './append-statement.ts';
import { createArchives, createPackedIds, type PackedIds } from './archives.ts';
import { createHubReads, recentViews } from './hub-reads.ts';
import { readSummaries } from './hub-summaries.ts';
import { FOLD, loadSession, refoldSession } from './load-session.ts';
import type { ObjectStore } from './object-store.ts';
import { isDue, ROLL, type RollBounds, rollOnFromArchive, rollSession } from './session-rolls.ts';
import {
	dayOf,
	makePartitionsAhead,
	SESSION_COLUMNS,
	type SessionRow,
	type StoredSession,
	storedSession,
} from './session-row.ts';

const SUMMARY_MS = 5000;
const MAX_CACHED = 100_000;
const MAX_SESSIONS = 100_000;

export interface PostgresStoreOptions {
	now: () => number;
	failed: (error: unknown) => void;
	fold?: number;
	mostSessions?: number | undefined;
	bounds?: RollBounds;
	objects?: Pick<ObjectStore, 'get'> | undefined;
}

/**
 * Sessions of many machines in one database. Replicas write independently: a range is a compare-and-swap of the session's offset,
 * in the transaction of its events. No other lock or lease.
 */
export function createPostgresStore(
	database: HubDatabase,
	{ now, failed, fold = FOLD, mostSessions = MAX_SESSIONS, bounds = ROLL, objects }: PostgresStoreOptions,
) {
	const { query } = database;
	const archives = createArchives(objects);
	let partitionsMadeOn: number | undefined;
	const rollCache = new LruMap<number, readonly SessionRoll[]>(MAX_CACHED);
	const packed = createPackedIds(query);
	const summaryThrottle = createSummaryThrottle(now);
	const archivesRead = createSingleFlight<number>();
	const refolds = createSingleFlight<number>();
	const recent = recentViews();
	let timer: NodeJS.Timeout | undefined;

	/** Partitions are made days ahead by a job; if that failed, they are made now. */
	async function partitionOfToday(): Promise<number> {
		const today = dayOf(now());
		if (partitionsMadeOn !== today) await makePartitionsAhead(query, today);
		partitionsMadeOn = today;
		return today;
	}

	async function newest(names: readonly HubSessionName[]): Promise<Map<string, StoredSession>> {
		const lines = await query<SessionRow>`SELECT DISTINCT ON (s.edge, s.session_id) ${SESSION_COLUMNS}
			FROM unnest(${names.map(({ edge }) => edge)}::int[], ${names.map(({ sessionId }) => sessionId)}::text[]) AS w
			(edge, session_id) JOIN sessions s ON s.edge = w.edge AND s.session_id = w.session_id
			ORDER BY s.edge, s.session_id, s.gen DESC, s.roll DESC`;
		return new Map(lines.map((line) => [`${line.edge}/${line.sessionId}`, storedSession(line)]));
	}

	/** `most`: sessions that an edge may have; null is no limit. */
	async function createSessions(names: readonly HubSessionName[], gen: number, most: number | null) {
		await query`WITH w AS (
				SELECT * FROM unnest(${names.map(({ edge }) => edge)}::int[],
					${names.map(({ sessionId }) => sessionId)}::text[]) AS w (edge, session_id)
			), asked AS (
				SELECT edge, count(*) AS more FROM w GROUP BY edge
			), fitting AS (
				SELECT edge FROM asked WHERE ${most}::int IS NULL OR more + (SELECT count(*) FROM (
					SELECT 1 FROM sessions s WHERE s.edge = asked.edge AND s.archived_at IS NULL AND NOT s.rolled LIMIT ${most}
				) AS held) <= ${most}
			)
			INSERT INTO sessions (edge, team, session_id, gen, part, fold)
			SELECT e.id, e.team, w.session_id, ${gen}, ${await partitionOfToday()}, ${fold} FROM w JOIN fitting USING (edge)
				JOIN edges e ON e.id = w.edge
			ON CONFLICT (edge, session_id, gen, roll) DO NOTHING`;
	}

	async function rollsOf(key: number): Promise<readonly SessionRoll[]> {
		const known = rollCache.get(key);
		if (known) return known;
		const found = await query<SessionRoll>`SELECT s.key, s.part, s.archived_at IS NOT NULL AS packed FROM sessions k
			JOIN sessions s ON s.edge = k.edge AND s.session_id = k.session_id AND s.gen = k.gen WHERE k.key = ${key}`;
		// An old roll will be packed, so only the newest is cached.
		if (found.length === 1) rollCache.set(key, found);
		return found;
	}

	/** A failure is retried with the session's next range. */
	const continueFromArchive = (session: StoredSession) =>
		archivesRead(session.key, () =>
			partitionOfToday()
				.then((part) => rollOnFromArchive(query, session, archives, { part, fold }))
				.catch(failed),
		);
	const refold = (session: StoredSession) =>
		refolds(session.key, () => refoldSession(database, session, archives, fold));

	/** What a replica needs to continue a session; it may have another number by now. */
	async function load(key: number): Promise<HubCheckpoint | undefined> {
		let found = await loadSession(database, key);
		if (found?.session.archived) {
			const reading = continueFromArchive(found.session);
			if (found.session.archived.stored) throw new ArchiveAwaited();
			await reading;
			found = await loadSession(database, key);
		}
		if (!found || found.session.fold >= fold) return found;
		await refold(found.session);
		// An older replica may have written it meanwhile.
		return load(key);
	}

	async function write(ranges: readonly HubRange[], summaries: readonly SummaryLine[]): Promise<AppendResult[]> {
		const of = new Set(ranges.map(({ key }) => key));
		const lines = summaries.filter(({ key }) => of.has(key));
		try {
			const durably = ranges.some((range) => range.durably);
			const keys = new Set((await appendRanges(query, ranges, lines, { fold, durably })).map(({ key }) => key));
			const committed = ranges.filter(({ key }) => keys.has(key));
			const listed = lines.filter(({ key }) => keys.has(key));
			summaryThrottle.noteWritten(committed, listed);
			const inList = new Set(listed.map(({ key }) => key));
			return ranges.map(({ key }) =>
				keys.has(key) ? { kind: 'committed', listed: inList.has(key) } : { kind: 'lost-race' },
			);
		} catch (error) {
			const reason = refusalOf(error);
			if (reason === undefined) throw error;
			if (ranges.length === 1) return [{ kind: 'quarantined', reason }];
			// One bad session fails the whole statement: halving isolates it.
			const middle = Math.ceil(ranges.length / 2);
			const first = await write(ranges.slice(0, middle), lines);
			return [...first, ...(await write(ranges.slice(middle), lines))];
		}
	}

	async function writeWaiting() {
		const lines = summaryThrottle.removeWaiting();
		if (lines.length === 0) return;
		await query`INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS})
			SELECT m.skey, s.edge, s.team, m.project, m.day, m.seq, m.state, m.last_ms, m.hidden, m.alarmed, m.json
			FROM ${summaryRows(lines)} JOIN sessions s ON s.key = m.skey AND NOT s.rolled ORDER BY m.skey
			${REPLACE_SUMMARY} WHERE summaries.seq < excluded.seq`;
	}

	function writeLater() {
		timer ??= setTimeout(() => {
			timer = undefined;
			writeWaiting().catch(failed);
		}, SUMMARY_MS).unref();
	}

	return {
		fold,
		mostSessions,
		/**
		 * The newest generation of each, in order; an unknown one begins at 0. Rejects with `NoRoom`, and begins none, if an edge
		 * would have too many.
		 */
		async open(names: readonly HubSessionName[]): Promise<HubSession[]> {
			const found = await newest(names);
			const missing = names.filter(({ edge, sessionId }) => !found.has(`${edge}/${sessionId}`));
			if (missing.length > 0) {
				await createSessions(missing, 0, mostSessions);
				for (const [name, session] of await newest(missing)) found.set(name, session);
			}
			return names.map(({ edge, sessionId }) => {
				const session = found.get(`${edge}/${sessionId}`);
				if (!session) throw new NoRoom(`Edge ${edge} has ${mostSessions} sessions, or is none of this hub.`);
				return session;
			});
		},
		/** Begins the next generation at 0, since the edge's file was replaced; the former one stays, marked as replaced. */
		async replace(session: HubSession): Promise<HubSession> {
			await createSessions([session], session.gen + 1, null);
			const { edge, sessionId, gen } = session;
			const rewrite =
				() => query`UPDATE sessions SET rewritten = true WHERE edge = ${edge} AND session_id = ${sessionId}
				AND gen <= ${gen} AND NOT rewritten RETURNING key`;
			// Repeated for a session that was rolled in between.
			while ((await rewrite()).length > 0);
			const made = (await newest([session])).get(`${session.edge}/${session.sessionId}`);
			if (!made) throw new Error('A session that was just made is not there.');
			return made;
		},
		load,
		/**
		 * Moves a session to today's partition if it is due; seq and offset continue under another number. Undefined if somebody
		 * else has written or moved it.
		 */
		async roll(
			session: HubSession,
			{ view, lastTs }: Pick<HubCheckpoint, 'lastTs'> & { view: SessionView },
		): Promise<HubSession | undefined> {
			if (!isDue(session, dayOf(now()), bounds)) return session;
			return rollSession(query, session, { view, lastTs, part: await partitionOfToday(), fold });
		},
		/** The data that `foldLines` needs for these sessions, in their order, in one query. */
		foldBases: (asks: Asks) => readFoldBases(query, { rollsOf, packed }, asks),
		/**
		 * Writes ranges, at most one of each session, and answers in their order. Rejects only if the database is not reached:
		 * then each session must be loaded again.
		 */
		async append(ranges: readonly HubRange[]): Promise<AppendResult[]> {
			if (ranges.length === 0) return [];
			const results = await write(ranges, summaryThrottle.due(ranges));
			writeLater();
			return results;
		},
		/** Writes a view alone, when a replica releases the session; does nothing if a newer one is stored. */
		async checkpoint(key: number, view: SessionView): Promise<void> {
			await query`INSERT INTO views (part, skey, seq, json) SELECT part, key, ${view.seq}, ${JSON.stringify(view)}
				FROM sessions WHERE key = ${key} AND seq >= ${view.seq} AND NOT rolled AND archived_at IS NULL
				ON CONFLICT (part, skey) DO UPDATE SET seq = excluded.seq, json = excluded.json WHERE views.seq < excluded.seq`;
		},
		/** What a person with this scope may read; all else appears not to exist. */
		reads: (scope: HubReach) =>
			createHubReads({ database, archives, recent, fold, refold: async (of) => refold(of).catch(failed) }, scope),
		/** A page of the list, each session named `<edge>/<id>`. */
		summaries: (scope: HubReach, request: PageRequest) => readSummaries(query, scope, request),
		async close() {
			clearTimeout(timer);
			await writeWaiting().catch(failed);
			await database.close();
		},
	};
}

export type HubStore = ReturnType<typeof createPostgresStore>;

/** Batches the questions of many connections; caches nothing. */
export function openTogether(store: Pick<HubStore, 'open'>): (name: HubSessionName) => Promise<HubSession> {
	const loader = new DataLoader<HubSessionName, HubSession>((names) => store.open(names), {
		cache: false,
		maxBatchSize: SESSIONS_A_FRAME,
	});
	return (name) => loader.load(name);
}

type Asks = readonly { key: number; ids: readonly string[]; rowKeys: readonly string[] }[];

interface SessionRoll {
	key: number;
	part: number;
	packed: boolean;
}

interface FetchScope {
	rollsOf: (key: number) => Promise<readonly SessionRoll[]>;
	packed: PackedIds;
}

/**
 * One query a partition: LATERAL with LIMIT uses its index. Rows of a packed roll are not found; late changes make a row of their
 * own.
 */
async function readFoldBases(query: Query, { rollsOf, packed }: FetchScope, asks: Asks): Promise<StoredRows[]> {
	const bases = asks.map(({ rowKeys }) => ({
		known: new Set<string>(),
		rows: new Map<string, Row | undefined>(rowKeys.map((name) => [name, undefined])),
	}));
	const parts = new Map<number, WantedName[]>();
	for (const [index, request] of asks.entries()) {
		if (request.ids.length + request.rowKeys.length === 0) continue;
		for (const position of await rollsOf(request.key)) {
			if (position.packed) for (const id of await packed.known(position.key, request.ids)) bases[index]?.known.add(id);
			else
				parts.set(position.part, [...(parts.get(position.part) ?? []), ...wantedNames(index, position.key, request)]);
		}
	}
	const found: Found[] = [];
	for (const [part, wanted] of parts) {
		found.push(
			...(await query<Found>`WITH w AS (SELECT * FROM unnest(${wanted.map(({ at }) => at)}::int[],
				${wanted.map(({ key }) => key)}::bigint[], ${wanted.map(({ name }) => name)}::text[],
				${wanted.map(({ isRow }) => isRow)}::bool[]) AS w (at, skey, name, is_row))
			SELECT w.at, w.skey, w.name, NULL AS json FROM w CROSS JOIN LATERAL (
				SELECT 1 FROM events e WHERE e.part = ${part} AND e.skey = w.skey AND e.id = w.name LIMIT 1) AS e
			WHERE NOT w.is_row
			UNION ALL SELECT w.at, w.skey, w.name, r.json FROM w CROSS JOIN LATERAL (
				SELECT json FROM rows r WHERE r.part = ${part} AND r.skey = w.skey AND r.key = w.name LIMIT 1) AS r
			WHERE w.is_row`),
		);
	}
	// The newest roll last: its row counts.
	for (const { at, name, json } of found.sort((one, other) => one.skey - other.skey)) {
		if (json === null) bases[at]?.known.add(name);
		else bases[at]?.rows.set(name, JSON.parse(json) as Row);
	}
	return bases;
}

const wantedNames = (at: number, key: number, { ids, rowKeys }: Asks[number]): WantedName[] => [
	...ids.map((name) => ({ at, key, name, isRow: false })),
	...rowKeys.map((name) => ({ at, key, name, isRow: true })),
];

interface WantedName {
	at: number;
	key: number;
	name: string;
	isRow: boolean;
}

interface Found {
	at: number;
	skey: number;
	name: string;
	json: string | null;
}

function createSingleFlight<Key>() {
	const running = new Map<Key, Promise<void>>();
	return (key: Key, work: () => Promise<void>): Promise<void> => {
		const known = running.get(key);
		if (known !== undefined) return known;
		const begun = work().finally(() => running.delete(key));
		running.set(key, begun);
		return begun;
	};
}
