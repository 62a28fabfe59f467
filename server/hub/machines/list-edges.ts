import type { EdgeGroup, EdgeState, HubEdge, HubEdges } from '#lib/contract/hub/edges.ts';
import { HUB_WIRE } from '#lib/contract/hub/hub-wire.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';

/** A list has so many at most: whoever looks for one narrows it. */
const MOST = 500;
/** An edge says something each 20 s. Heard of before that, it lost its connection with the replica that it was at. */
const SILENT_SECONDS = 75;

/** Which edges are asked for. */
export interface EdgeWish {
	/** The numbers of the teams whose edges may be seen; null: of all. */
	teams: readonly number[] | null;
	team?: string | undefined;
	group?: EdgeGroup | undefined;
	q?: string | undefined;
	id?: number;
}

interface EdgeRow {
	id: number;
	team: string;
	name: string;
	status: EdgeState;
	reason: string | null;
	connected: boolean;
	joined_at: Date;
	seen_at: Date | null;
	behind_bytes: number | null;
	late_ms: number | null;
	skew_ms: number | null;
	level: HubEdge['level'];
	version: string | null;
	older: boolean;
	labels: string[];
}

/** Whether `edges e` has a connection with some replica. */
export const CONNECTED = `e.status = 'joined' AND e.left_at IS NULL AND coalesce(e.seen_at > now() - interval '${SILENT_SECONDS} s', false)`;
const GROUP = `CASE WHEN e.status <> 'joined' THEN e.status WHEN ${CONNECTED} THEN 'connected' ELSE 'away' END`;
/** `$1` are the teams, `$2` a team's name, `$3` words of which each must be there, `$4` an edge. */
const FROM = `FROM edges e JOIN teams t ON t.id = e.team
	WHERE ($1::int[] IS NULL OR e.team = ANY ($1)) AND ($2::text IS NULL OR t.name = $2) AND ($4::int IS NULL OR e.id = $4)
	AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) AS word
		WHERE position(word IN lower(concat_ws(' ', e.name, t.name, array_to_string(e.labels, ' ')))) = 0)`;

/** The edges that are asked for: those first that somebody has to look at, those that were sent away last. */
export async function listEdges(ask: Ask, wish: EdgeWish): Promise<Pick<HubEdges, 'edges' | 'counts'>> {
	const { teams, team = null, group = null, q = '', id = null } = wish;
	const values = [teams, team, q.toLowerCase().split(/\s+/).filter(Boolean), id];
	const [found, counted] = await Promise.all([
		ask<EdgeRow>(
			`SELECT e.id, t.name AS team, e.name, e.status, e.reason, ${CONNECTED} AS connected, e.joined_at, e.seen_at,
				e.behind_bytes, e.late_ms, e.skew_ms, e.level, e.version, coalesce(e.wire < ${HUB_WIRE}, false) AS older, e.labels ${FROM} AND ($5::text IS NULL OR ${GROUP} = $5)
			ORDER BY array_position(ARRAY['quarantined', 'pending', 'joined', 'revoked'], e.status), e.name, e.id LIMIT ${MOST}`,
			[...values, group],
		),
		ask<{ kind: EdgeGroup; count: number }>(`SELECT ${GROUP} AS kind, count(*) AS count ${FROM} GROUP BY 1`, values),
	]);
	const counts = { connected: 0, away: 0, pending: 0, quarantined: 0, revoked: 0 };
	for (const { kind, count } of counted) counts[kind] = count;
	return { edges: found.map(edgeOf), counts };
}

function edgeOf({ status, joined_at, seen_at, behind_bytes, late_ms, skew_ms, ...row }: EdgeRow): HubEdge {
	const { id, team, name, reason, connected, level, version, older, labels } = row;
	return {
		...{ id, team, name, state: status, reason, connected },
		joinedAt: joined_at.toISOString(),
		seenAt: seen_at?.toISOString() ?? null,
		behind: connected && behind_bytes !== null ? { bytes: behind_bytes, seconds: inSeconds(late_ms) ?? 0 } : null,
		clockAhead: inSeconds(skew_ms),
		...{ level, version, older, labels },
	};
}

const inSeconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000));

/** How well decisions from here are protected: as well as at the machine where they are protected least. */
export async function readTier(ask: Ask, { teams, projects = [] }: HubScope): Promise<Me['tier']> {
	const found = await ask<{ level: string }>(
		`SELECT DISTINCT level FROM edges WHERE status = 'joined' AND ($1::int[] IS NULL OR team = ANY ($1))`,
		[teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)]],
	);
	const levels = new Set(found.map(({ level }) => level));
	if (levels.has('hub')) return 'H1';
	return levels.has('passkey') ? 'H2' : 'H0';
}
