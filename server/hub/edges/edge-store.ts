import { randomBytes } from 'node:crypto';
import DataLoader from 'dataloader';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { EdgeGroup, EdgeState, HubEdge, HubEdges } from '#lib/contract/hub/edges.ts';
import { type ChainHead, type Hello, HUB_WIRE, type JoinRequest } from '#lib/contract/hub/hub-wire.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { inEnglish, inWords, sentence, type Words } from '#lib/messages/sentence.ts';
import { digestOf } from '../../access/principal.ts';
import { isAny, literal, type Query, sql } from '../database/database.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CODE_LETTERS = 26;

const SILENT_HOURS = 24;
const SILENT_JOB = sentence('It was the machine of a CI job, and nothing was heard of it for a day.');

const KEYS_TOGETHER_MS = 20;

/** Any counter is accepted next. */
const ANY = literal(-1);

type EdgeLine = Pick<EdgeRow, 'id' | 'team' | 'name' | 'reason' | 'labels' | 'seen_at'> & { status: EdgeState };

export interface JoinedEdge {
	edge: number;
	team: string;
	pending: boolean;
}

interface GreetedEdge {
	status: EdgeState;
	reason: string | null;
	counter: number;
	teamId: number;
	team: string;
	connEpoch: number | null;
	ephemeral: boolean | null;
}

type Greeting =
	| (Pick<GreetedEdge, 'team' | 'teamId' | 'counter'> & { welcome: true; connEpoch: number; ephemeral: boolean })
	| { welcome: false; status: Exclude<EdgeState, 'joined'>; reason: string };

/** Machines in the database: joining, the greeting of each connection, acceptance and revocation. */
export function createEdgeStore(query: Query) {
	const keys = new DataLoader<number, string | undefined>(
		async (edges) => {
			const found = await query<{ id: number; pubkey: string }>`SELECT id, pubkey FROM edges WHERE id = ANY (${edges})`;
			const byEdge = new Map(found.map(({ id, pubkey }) => [id, pubkey]));
			return edges.map((edge) => byEdge.get(edge));
		},
		{ cache: false, maxBatchSize: 1000, batchScheduleFn: (load) => setTimeout(load, KEYS_TOGETHER_MS) },
	);
	async function quarantine(edge: number, words: Words): Promise<Greeting> {
		const reason = inEnglish(words);
		await query`UPDATE edges SET status = 'quarantined', reason = ${reason}, reason_words = ${JSON.stringify(words)}
			WHERE id = ${edge} AND status = 'joined'`;
		return { welcome: false, status: 'quarantined', reason };
	}

	/** In one order, so that replicas do not deadlock. */
	const seen = new DataLoader<number, { status: EdgeState; conn_epoch: number } | undefined>(
		async (ids) => {
			const found = await query<{ id: number; status: EdgeState; conn_epoch: number }>`WITH w AS MATERIALIZED (SELECT id
				FROM edges WHERE id = ANY (${ids}) ORDER BY id FOR NO KEY UPDATE) UPDATE edges e SET seen_at = now() FROM w
				WHERE e.id = w.id RETURNING e.id, e.status, e.conn_epoch`;
			const byId = new Map(found.map((one) => [one.id, one]));
			return ids.map((id) => byId.get(id));
		},
		{ cache: false, maxBatchSize: 500 },
	);

	return {
		quarantine,
		async mintCode(
			team: string,
			uses: number,
			minutes: number,
			{ labels = [], fleet = false }: { labels?: readonly string[]; fleet?: boolean } = {},
		): Promise<string> {
			const code = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
			await query`WITH t AS (INSERT INTO teams (name) VALUES (${team}) ON CONFLICT (name) DO UPDATE
				SET name = excluded.name RETURNING id) INSERT INTO join_codes (hash, team, uses_left, until, labels, fleet)
				SELECT ${digestOf(code)}, t.id, ${uses}, now() + make_interval(mins => ${minutes}), ${labels}, ${fleet} FROM t`;
			return code;
		},
		async join({ code, key, name }: JoinRequest): Promise<JoinedEdge | undefined> {
			const [made] = await query<JoinedEdge>`WITH c AS (
					UPDATE join_codes SET uses_left = uses_left - 1 WHERE hash = ${digestOf(code)} AND uses_left > 0
						AND until > now()
					RETURNING team, labels, fleet
				), e AS (
					INSERT INTO edges (team, name, pubkey, labels, status)
					SELECT team, ${name}, ${key}, labels, CASE WHEN fleet THEN 'pending' ELSE 'joined' END FROM c
						RETURNING id, team, status
				) SELECT e.id AS edge, t.name AS team, e.status = 'pending' AS pending FROM e JOIN teams t ON t.id = e.team`;
			if (!made?.pending) return made;
			return { ...made, pending: (await acceptByRules(query, made.edge)) === 0 };
		},
		keyOf: (edge: number): Promise<string | undefined> => keys.load(edge),
		/**
		 * Raises the counter in two steps, so that a crash between them has no effect. A lower one was used before: by a copy, or
		 * before a restore.
		 */
		async greet({ edge, counter, version, wire, level = 'watch' }: Hello): Promise<Greeting> {
			// One statement, since an admin may accept a pending machine at the same time.
			const [found] = await query<GreetedEdge>`WITH found AS MATERIALIZED (
					SELECT id, team, status, reason, counter, pending_counter FROM edges WHERE id = ${edge} FOR NO KEY UPDATE
				), raised AS (
					UPDATE edges e SET counter = ${counter}, pending_counter = ${counter + 1}, conn_epoch = conn_epoch + 1,
						seen_at = now(),
						version = ${version}, wire = ${wire}, level = ${level}, left_at = NULL, behind_bytes = NULL, late_ms =
							NULL
					FROM found f WHERE e.id = f.id AND f.status = 'joined' AND (f.counter <= ${counter}
						OR f.pending_counter = ${ANY})
					RETURNING e.conn_epoch, e.ephemeral
				) SELECT f.status, f.reason, f.counter, t.id AS "teamId", t.name AS team, r.conn_epoch AS "connEpoch",
					r.ephemeral
				FROM found f JOIN teams t ON t.id = f.team LEFT JOIN raised r ON true`;
			if (!found) return { welcome: false, status: 'revoked', reason: 'this hub does not know it' };
			const { status, team, teamId, connEpoch, ephemeral } = found;
			if (connEpoch !== null)
				return { welcome: true, team, teamId, counter: counter + 1, connEpoch, ephemeral: ephemeral ?? false };
			if (status === 'pending') {
				await query`UPDATE edges SET seen_at = now(), version = ${version}, level = ${level} WHERE id = ${edge}`;
				return { welcome: false, status, reason: 'no admin of the hub has taken it in yet' };
			}
			if (status !== 'joined') return { welcome: false, status, reason: found.reason ?? '' };
			return quarantine(
				edge,
				sentence('It says that this is its connection {count}, and it has made {total} before.', {
					count: counter,
					total: found.counter,
				}),
			);
		},
		async endSilent(): Promise<void> {
			await query`WITH w AS MATERIALIZED (SELECT id FROM edges WHERE ephemeral AND status = 'joined'
				AND coalesce(seen_at, joined_at) < now() - make_interval(hours => ${SILENT_HOURS}) ORDER BY id FOR NO KEY UPDATE)
				UPDATE edges e SET status = 'revoked', reason = ${inEnglish(SILENT_JOB)},
				reason_words = ${JSON.stringify(SILENT_JOB)} FROM w WHERE e.id = w.id`;
		},
		async currentState(edge: number, connEpoch: number): Promise<EdgeState | 'replaced'> {
			const found = await seen.load(edge);
			if (!found) return 'revoked';
			return found.status === 'joined' && found.conn_epoch !== connEpoch ? 'replaced' : found.status;
		},
		async recordStatus(
			edge: number,
			connEpoch: number,
			{ behindBytes, lateMs, skewMs }: ConnectedEdgeStatus,
			level: EdgeLevel = 'watch',
		): Promise<void> {
			await query`UPDATE edges SET seen_at = now(), behind_bytes = ${behindBytes}, late_ms = ${lateMs}, skew_ms =
				${skewMs}, level = ${level} WHERE id = ${edge} AND conn_epoch = ${connEpoch}`;
		},
		async leave(edge: number, connEpoch: number): Promise<void> {
			await query`UPDATE edges SET left_at = now() WHERE id = ${edge} AND conn_epoch = ${connEpoch}`;
		},
		list: () =>
			query<EdgeLine>`SELECT e.id, t.name AS team, e.name, e.status, e.reason, e.labels, e.seen_at FROM edges e
				JOIN teams t ON t.id = e.team ORDER BY e.id`,
		/** An accepted machine continues with the counter that it sends next. A revoked one stays revoked: its key may be stolen. */
		async setStatus(edge: number, status: 'joined' | 'revoked'): Promise<EdgeState | undefined> {
			const [changed] = await query<{ status: EdgeState }>`UPDATE edges SET status = ${status}, reason = NULL,
				pending_counter = ${ANY} WHERE id = ${edge} AND status <> 'revoked' RETURNING status`;
			const [found] = changed
				? [changed]
				: await query<{ status: EdgeState }>`SELECT status FROM edges WHERE id = ${edge}`;
			return found?.status;
		},
	};
}

export type EdgeStore = ReturnType<typeof createEdgeStore>;

export function isContinued(head: ChainHead | null, kept: ChainHead | null): boolean {
	if (kept === null) return true;
	return head !== null && (head.n > kept.n || (head.n === kept.n && head.hash === kept.hash));
}

export interface ConnectedEdgeStatus {
	behindBytes: number;
	lateMs: number;
	skewMs: number;
}

interface FleetRule {
	id: number;
	teamId: number;
	team: string;
	labels: string[];
}

/** Called after a machine or a rule is added, so that neither misses the other; in one order, so that replicas do not deadlock. */
export async function acceptByRules(query: Query, edge: number | null = null): Promise<number> {
	const taken = await query`WITH w AS MATERIALIZED (SELECT e.id FROM edges e WHERE e.status = 'pending'
		AND (${edge}::int IS NULL OR e.id = ${edge}) AND EXISTS (SELECT 1 FROM fleet_rules r WHERE r.team = e.team
		AND r.labels <@ e.labels) ORDER BY e.id FOR NO KEY UPDATE OF e) UPDATE edges e SET status = 'joined' FROM w
		WHERE e.id = w.id RETURNING e.id`;
	return taken.length;
}

/** Labels by which machines with a fleet code are accepted without an admin. */
export function createFleetRules(query: Query) {
	return {
		list: () =>
			query<FleetRule>`SELECT r.id, t.id AS "teamId", t.name AS team, r.labels FROM fleet_rules r JOIN teams t
				ON t.id = r.team ORDER BY t.name, r.id`,
		async add(team: string, labels: readonly string[]): Promise<{ id: number; taken: number } | undefined> {
			const [made] = await query<{ id: number }>`INSERT INTO fleet_rules (team, labels) SELECT id,
				${[...new Set(labels)].sort()} FROM teams WHERE name = ${team} ON CONFLICT (team, labels) DO UPDATE
				SET labels = excluded.labels RETURNING id`;
			return made && { id: made.id, taken: await acceptByRules(query) };
		},
		remove: (id: number): Promise<boolean> => isAny(query`DELETE FROM fleet_rules WHERE id = ${id} RETURNING id`),
	};
}

const MAX_EDGES = 500;

interface EdgeFilter {
	teams: readonly number[] | null;
	team?: string | undefined;
	group?: EdgeGroup | undefined;
	q?: string | undefined;
	id?: number;
}

type EdgeRow = Omit<HubEdge, 'joinedAt' | 'seenAt' | 'behind' | 'clockAhead' | 'sentences'> & {
	/** An older replica does not clear the words of an earlier reason. */
	reason_words: Words | null;
	joined_at: Date;
	seen_at: Date | null;
} & Record<'behind_bytes' | 'late_ms' | 'skew_ms', number | null>;

/** Has a connection with some replica: an edge reports every 20 s. */
export const CONNECTED = sql`e.status = 'joined' AND e.left_at IS NULL
	AND coalesce(e.seen_at > now() - interval '75 s', false)`;
const GROUP = sql`CASE WHEN e.status <> 'joined' THEN e.status WHEN ${CONNECTED} THEN 'connected' ELSE 'away' END`;
export async function listEdges(query: Query, filter: EdgeFilter): Promise<Pick<HubEdges, 'edges' | 'counts'>> {
	const { teams, team = null, group = null, q = '', id = null } = filter;
	const words = q.toLowerCase().split(/\s+/).filter(Boolean);
	const from = sql`FROM edges e JOIN teams t ON t.id = e.team WHERE (${teams}::int[] IS NULL OR e.team = ANY (${teams}))
		AND (${team}::text IS NULL OR t.name = ${team}) AND (${id}::int IS NULL OR e.id = ${id})
		AND NOT EXISTS (SELECT 1 FROM unnest(${words}::text[]) AS word
			WHERE position(word IN lower(concat_ws(' ', e.name, t.name, array_to_string(e.labels, ' ')))) = 0)`;
	const [found, counted] = await Promise.all([
		query<EdgeRow>`SELECT e.id, t.name AS team, e.name, e.status AS state, e.reason, e.reason_words, ${CONNECTED} AS connected, e.joined_at, e.seen_at,
			e.behind_bytes, e.late_ms, e.skew_ms, e.level, e.version, coalesce(e.wire < ${HUB_WIRE}, false) AS older, e.labels
			${from} AND (${group}::text IS NULL OR ${GROUP} = ${group})
			ORDER BY array_position(ARRAY['quarantined', 'pending', 'joined', 'revoked'], e.status), e.name, e.id LIMIT ${MAX_EDGES}`,
		query<{ kind: EdgeGroup; count: number }>`SELECT ${GROUP} AS kind, count(*) AS count ${from} GROUP BY 1`,
	]);
	const counts = { connected: 0, away: 0, pending: 0, quarantined: 0, revoked: 0 };
	for (const { kind, count } of counted) counts[kind] = count;
	return { edges: found.map(edgeOf), counts };
}

function edgeOf({
	joined_at,
	seen_at,
	behind_bytes: bytes,
	late_ms,
	skew_ms,
	reason_words: words,
	...edge
}: EdgeRow): HubEdge {
	return {
		...edge,
		...(words && inEnglish(words) === edge.reason && inWords({ reason: words })),
		joinedAt: joined_at.toISOString(),
		seenAt: seen_at?.toISOString() ?? null,
		behind: edge.connected && bytes !== null ? { bytes, seconds: inSeconds(late_ms) ?? 0 } : null,
		clockAhead: inSeconds(skew_ms),
	};
}

const inSeconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

/** The lowest protection of any machine in scope. */
export async function readTier(query: Query, { teams, projects = [] }: HubReach): Promise<Me['tier']> {
	const ids = teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)];
	const found = await query<{ level: string }>`SELECT DISTINCT level FROM edges WHERE status = 'joined'
		AND (${ids}::int[] IS NULL OR team = ANY (${ids}))`;
	const levels = new Set(found.map(({ level }) => level));
	if (levels.has('hub')) return 'H1';
	return levels.has('passkey') ? 'H2' : 'H0';
}
