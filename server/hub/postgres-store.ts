import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { SessionView } from '#lib/session/view.ts';
import { LruMap } from '../lru-map.ts';
import type { AppendResult, HubRange, HubStore } from '../store/hub-store.ts';
import { APPEND, appendValues } from './append-statement.ts';
import { type HubDatabase, refusalOf } from './database.ts';
import { fetchGround } from './fetch-ground.ts';
import { createHubReads } from './hub-reads.ts';
import { readSummaries } from './hub-summaries.ts';
import { FOLD, loadSession, refoldSession } from './load-session.ts';
import { dayOf, type PlacedSession, SESSION, type SessionLine, sessionOf } from './session-place.ts';
import { SUMMARY_COLUMNS, type SummaryLine, summaryValues } from './summary-line.ts';
import { createSummaryPace } from './summary-pace.ts';

/** Partitions are there so many days before anything is born in them. */
const DAYS_AHEAD = 7;
/** A line of the list that waits is written after this. */
const SUMMARY_MS = 5000;
const MOST_PLACES = 100_000;

export interface PostgresStoreOptions {
	now: () => number;
	/** Told of what is tried again by itself. */
	failed: (error: unknown) => void;
}

/** The hub's store over Postgres, whose tables `migrateHub` has made. */
export function createPostgresStore(database: HubDatabase, { now, failed }: PostgresStoreOptions): HubStore {
	const { ask } = database;
	const madeDays = new Set<number>();
	const places = new LruMap<number, number>(MOST_PLACES);
	const pace = createSummaryPace(now);
	let timer: NodeJS.Timeout | undefined;

	async function makeDays(): Promise<number> {
		const today = dayOf(now());
		for (let day = today; day <= today + DAYS_AHEAD; day += 1) {
			if (madeDays.has(day)) continue;
			await ask('SELECT make_partitions($1)', [day]);
			madeDays.add(day);
		}
		return today;
	}

	const placed = (line: SessionLine): PlacedSession => {
		places.set(line.key, line.part);
		return sessionOf(line);
	};

	async function newest(names: readonly HubSessionName[]): Promise<Map<string, PlacedSession>> {
		const lines = await ask<SessionLine>(
			`SELECT DISTINCT ON (s.edge, s.session_id) ${SESSION}
			FROM unnest($1::int[], $2::text[]) AS w (edge, session_id)
			JOIN sessions s ON s.edge = w.edge AND s.session_id = w.session_id
			ORDER BY s.edge, s.session_id, s.gen DESC, s.roll DESC`,
			[names.map(({ edge }) => edge), names.map(({ sessionId }) => sessionId)],
		);
		return new Map(lines.map((line) => [`${line.edge}/${line.session_id}`, placed(line)]));
	}

	async function make(names: readonly HubSessionName[], gen: number) {
		await ask(
			`INSERT INTO sessions (edge, team, session_id, gen, part, fold)
			SELECT e.id, e.team, w.session_id, $3, $4, $5
			FROM unnest($1::int[], $2::text[]) AS w (edge, session_id) JOIN edges e ON e.id = w.edge
			ON CONFLICT (edge, session_id, gen, roll) DO NOTHING`,
			[names.map(({ edge }) => edge), names.map(({ sessionId }) => sessionId), gen, await makeDays(), FOLD],
		);
	}

	async function partOf(key: number): Promise<number | undefined> {
		const known = places.get(key);
		if (known !== undefined) return known;
		const [line] = await ask<SessionLine>(`SELECT ${SESSION} FROM sessions s WHERE s.key = $1`, [key]);
		return line && placed(line).part;
	}

	async function write(ranges: readonly HubRange[], told: readonly SummaryLine[]): Promise<AppendResult[]> {
		const of = new Set(ranges.map(({ key }) => key));
		const lines = told.filter(({ key }) => of.has(key));
		try {
			const values = appendValues(ranges, lines, { fold: FOLD, durably: false });
			const keys = new Set((await ask<{ key: number }>(APPEND, values)).map(({ key }) => key));
			const committed = ranges.filter(({ key }) => keys.has(key));
			const listed = lines.filter(({ key }) => keys.has(key));
			pace.settle(committed, listed);
			const inList = new Set(listed.map(({ key }) => key));
			return ranges.map(({ key }) =>
				keys.has(key) ? { kind: 'committed', listed: inList.has(key) } : { kind: 'lost-race' },
			);
		} catch (error) {
			const reason = refusalOf(error);
			if (reason === undefined) throw error;
			if (ranges.length === 1) return [{ kind: 'quarantined', reason }];
			// One that cannot be written takes all others with it: halving leaves it alone.
			const middle = Math.ceil(ranges.length / 2);
			const first = await write(ranges.slice(0, middle), lines);
			return [...first, ...(await write(ranges.slice(middle), lines))];
		}
	}

	async function tellWaiting() {
		const lines = pace.take();
		if (lines.length === 0) return;
		await ask(
			`INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS})
			SELECT m.skey, s.edge, s.team, m.project, m.day, m.seq, m.state, m.last_ms, m.hidden, m.alarmed, m.json
			FROM unnest($1::bigint[], $2::text[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::bool[], $8::bool[],
				$9::text[]) AS m (skey, ${SUMMARY_COLUMNS}) JOIN sessions s ON s.key = m.skey ORDER BY m.skey
			ON CONFLICT (skey) DO UPDATE SET (${SUMMARY_COLUMNS}) = (excluded.project, excluded.day, excluded.seq,
				excluded.state, excluded.last_ms, excluded.hidden, excluded.alarmed, excluded.json)
			WHERE summaries.seq < excluded.seq`,
			summaryValues(lines),
		);
	}

	function tellLater() {
		timer ??= setTimeout(() => {
			timer = undefined;
			tellWaiting().catch(failed);
		}, SUMMARY_MS).unref();
	}

	return {
		async open(names) {
			const found = await newest(names);
			const missing = names.filter(({ edge, sessionId }) => !found.has(`${edge}/${sessionId}`));
			if (missing.length > 0) {
				await make(missing, 0);
				for (const [name, session] of await newest(missing)) found.set(name, session);
			}
			return names.map(({ edge, sessionId }) => {
				const session = found.get(`${edge}/${sessionId}`);
				if (!session) throw new Error(`The hub knows no edge ${edge}.`);
				return session;
			});
		},
		async replace(session) {
			await make([session], session.gen + 1);
			await ask('UPDATE sessions SET rewritten = true WHERE key = $1', [session.key]);
			const made = (await newest([session])).get(`${session.edge}/${session.sessionId}`);
			if (!made) throw new Error('A session that was just made is not there.');
			return made;
		},
		async load(key) {
			const found = await loadSession(database, key);
			if (!found || found.session.fold >= FOLD) return found;
			await refoldSession(database, found.session);
			return loadSession(database, key);
		},
		fetch: (asks) => fetchGround(ask, partOf, asks),
		async append(ranges) {
			if (ranges.length === 0) return [];
			const results = await write(ranges, pace.due(ranges));
			tellLater();
			return results;
		},
		async checkpoint(key, view: SessionView) {
			await ask(
				`INSERT INTO views (part, skey, seq, json) SELECT part, key, $2, $3 FROM sessions WHERE key = $1 AND seq >= $2
				ON CONFLICT (part, skey) DO UPDATE SET seq = excluded.seq, json = excluded.json WHERE views.seq < excluded.seq`,
				[key, view.seq, JSON.stringify(view)],
			);
		},
		reads: (scope) => createHubReads(database, scope),
		summaries: (scope, wish) => readSummaries(ask, scope, wish),
		async close() {
			clearTimeout(timer);
			await tellWaiting().catch(failed);
			await database.close();
		},
	};
}
