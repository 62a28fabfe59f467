import type { GrantRecord, GrantState } from '#lib/contract/grants.ts';
import { grantOf, MOST_GRANT_MS } from '#lib/grants/grant-record.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import type { Ask } from './database.ts';
import type { JournalBook } from './journal-book.ts';

/** A grant of a machine, wherever it was made. */
export interface HubGrant {
	edge: number;
	team: number;
	/** Null while the hub has nothing of its session. */
	project: string | null;
	/** Its sessions by the hub's names. */
	record: GrantRecord;
}

interface GrantLine extends Omit<HubGrant, 'record'> {
	machine: string;
	team_name: string;
	subject: string;
}

const SELECT = `SELECT c.edge, e.team, e.name AS machine, m.name AS team_name, s.project, c.subject
	FROM edge_journal c JOIN edges e ON e.id = c.edge JOIN teams m ON m.id = e.team
	LEFT JOIN LATERAL (SELECT project FROM sessions WHERE edge = c.edge AND session_id = c.session_id
		ORDER BY gen DESC, roll DESC LIMIT 1) s ON true WHERE c.kind = 'grant:create'`;
/** One that is revoked or has expired is over, whatever its scope; of a used one its record says so. */
const OPEN = `NOT EXISTS (SELECT 1 FROM edge_journal o WHERE o.edge = c.edge AND o.subject = c.subject
	AND o.kind IN ('grant:revoke', 'grant:expire'))`;
/** None lives longer; clocks of machines may be a day apart. */
const LIFE_MS = MOST_GRANT_MS + 24 * 3600_000;

/** What the journals of machines tell of grants there; of sessions that they do not share, nothing. */
export function createGrantBook(ask: Ask, histories: JournalBook['histories'], now: () => number) {
	async function read(lines: readonly GrantLine[]): Promise<HubGrant[]> {
		const subjects = new Map<number, string[]>();
		for (const { edge, subject } of lines) subjects.set(edge, [...(subjects.get(edge) ?? []), subject]);
		const rows = new Map<number, Awaited<ReturnType<typeof histories>>>();
		for (const [edge, ofEdge] of subjects) rows.set(edge, await histories(edge, ofEdge));
		return lines.flatMap(({ machine, team_name, subject, ...place }) => {
			const found = grantOf(rows.get(place.edge)?.get(subject) ?? []);
			if (found?.id !== subject) return [];
			const { edge } = place;
			const { sessionId, lastUse } = found;
			const isLate = found.state === 'active' && Date.parse(found.expires) <= now();
			const record: GrantRecord = {
				...found,
				...(isLate && { state: 'expired', endedAt: found.expires }),
				sessionId: hubNameOf({ edge, sessionId }),
				...(lastUse && { lastUse: { ...lastUse, sessionId: hubNameOf({ edge, sessionId: lastUse.sessionId }) } }),
				machine: { name: machine, team: team_name },
			};
			return [{ ...place, record }];
		});
	}

	return {
		/** The newest first, at so many of these teams' machines (null: of all teams'). */
		async list(teams: readonly number[] | null, state: GrantState | undefined, limit: number): Promise<HubGrant[]> {
			const isOpen = state === 'active';
			const since = isOpen ? new Date(now() - LIFE_MS).toISOString() : '';
			const lines = await ask<GrantLine>(
				`${SELECT} AND ($1::int[] IS NULL OR e.team = ANY ($1)) AND c.ts >= $2 ${isOpen ? `AND ${OPEN}` : ''}
				ORDER BY c.ts DESC, c.edge, c.n DESC LIMIT $3`,
				[teams && [...teams], since, limit],
			);
			const found = await read(lines);
			return state === undefined ? found : found.filter(({ record }) => record.state === state);
		},
		/** Those that still count at these machines. */
		async activeAt(edges: readonly number[], limit: number): Promise<HubGrant[]> {
			const lines = await ask<GrantLine>(`${SELECT} AND c.edge = ANY ($1) AND c.ts >= $2 AND ${OPEN} LIMIT $3`, [
				[...edges],
				new Date(now() - LIFE_MS).toISOString(),
				limit,
			]);
			return (await read(lines)).filter(({ record }) => record.state === 'active');
		},
		/** By its id; of several machines that tell of one, none can be meant. */
		async find(id: string): Promise<HubGrant | undefined> {
			const lines = await ask<GrantLine>(`${SELECT} AND c.subject = $1 LIMIT 2`, [id]);
			return lines.length === 1 ? (await read(lines))[0] : undefined;
		},
	};
}

export type GrantBook = ReturnType<typeof createGrantBook>;
