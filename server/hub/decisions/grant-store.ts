import type { HistoryRow } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord, GrantState } from '#lib/contract/approvals/grants.ts';
import { grantOf, MAX_GRANT_MS } from '#lib/grants/grant-record.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { literal, type Query, sql } from '../database/database.ts';
import { type EdgeJournalStore, rowOf, type StoredRow } from '../timelines/edge-journal-store.ts';

export interface HubGrant {
	edge: number;
	team: number;
	project: string | null;
	record: GrantRecord;
}

interface GrantLine extends Omit<HubGrant, 'record'> {
	machine: string;
	team_name: string;
	subject: string;
}

const FIELDS = sql`c.edge, e.team, e.name AS machine, m.name AS team_name, s.project, c.subject`;
const PLACE = sql`JOIN edges e ON e.id = c.edge JOIN teams m ON m.id = e.team
	LEFT JOIN LATERAL (SELECT project FROM sessions WHERE edge = c.edge AND session_id = c.session_id
		ORDER BY gen DESC, roll DESC LIMIT 1) s ON true`;
const SELECT = sql`SELECT ${FIELDS} FROM edge_journal c ${PLACE} WHERE c.kind = 'grant:create'`;
/** A used grant ends by its record, without a row. */
const OPEN = sql`NOT EXISTS (SELECT 1 FROM edge_journal o WHERE o.edge = c.edge AND o.subject = c.subject
	AND o.kind IN ('grant:revoke', 'grant:expire'))`;
const MAX_HUB_ROWS = 500;
const MAX_MACHINES = 1000;
const OF_HUB = sql`kind = 'grant:create' AND payload LIKE '%"via":"hub"%'`;
/** Clocks of machines may differ by a day. */
const LIFE_MS = MAX_GRANT_MS + 24 * 3600_000;

export function createGrantStore(query: Query, histories: EdgeJournalStore['histories'], now: () => number) {
	async function read(lines: readonly GrantLine[]): Promise<HubGrant[]> {
		const subjects = new Map<number, string[]>();
		for (const { edge, subject } of lines) subjects.set(edge, [...(subjects.get(edge) ?? []), subject]);
		const rows = new Map<number, Awaited<ReturnType<typeof histories>>>();
		for (const [edge, ofEdge] of subjects) rows.set(edge, await histories(edge, ofEdge));
		return lines.flatMap((line) => readOne(line, rows.get(line.edge)?.get(line.subject) ?? []));
	}

	function readOne({ machine, team_name, edge, team, project, subject }: GrantLine, rows: HistoryRow[]): HubGrant[] {
		const found = grantOf(rows);
		if (found?.id !== subject) return [];
		const { sessionId, lastUse } = found;
		const isLate = found.state === 'active' && Date.parse(found.expires) <= now();
		const record: GrantRecord = {
			...found,
			...(isLate && { state: 'expired', endedAt: found.expires }),
			sessionId: hubNameOf({ edge, sessionId }),
			...(lastUse && { lastUse: { ...lastUse, sessionId: hubNameOf({ edge, sessionId: lastUse.sessionId }) } }),
			machine: { name: machine, team: team_name },
		};
		return [{ edge, team, project, record }];
	}

	return {
		async list(teams: readonly number[] | null, state: GrantState | undefined, limit: number): Promise<HubGrant[]> {
			const isOpen = state === 'active';
			const since = isOpen ? new Date(now() - LIFE_MS).toISOString() : '';
			const lines = await query<GrantLine>`${SELECT} AND (${teams}::int[] IS NULL OR e.team = ANY (${teams}))
				AND c.ts >= ${since} ${isOpen ? sql`AND ${OPEN}` : sql``} ORDER BY c.ts DESC, c.edge, c.n DESC LIMIT ${limit}`;
			const found = await read(lines);
			return state === undefined ? found : found.filter(({ record }) => record.state === state);
		},
		/** Grants made at the hub; at most 500 of each machine, so that one cannot hide those of others. */
		async ofHubAt(edges: readonly number[]): Promise<HubGrant[]> {
			const lines = await query<
				GrantLine & StoredRow
			>`SELECT ${FIELDS}, c.n, c.id, c.ts, c.kind, c.session_id, c.payload
					FROM unnest(${edges}::int[]) AS at (edge) CROSS JOIN LATERAL (
					SELECT * FROM edge_journal WHERE edge = at.edge AND ${OF_HUB} ORDER BY n DESC LIMIT ${literal(MAX_HUB_ROWS)}
				) c ${PLACE} WHERE c.ts >= ${new Date(now() - LIFE_MS).toISOString()} AND ${OPEN}`;
			const made = lines.flatMap((line) => readOne(line, [rowOf(line)]));
			return made.filter(({ record }) => record.state === 'active');
		},
		async isActive({ edge, record: { id, expires } }: HubGrant): Promise<boolean> {
			const found = grantOf((await histories(edge, [id])).get(id) ?? []);
			return found?.state === 'active' && Date.parse(expires) > now();
		},
		/** The grant that a row of a machine's journal is about. */
		async ofRow(edge: number, n: number): Promise<HubGrant | undefined> {
			const [found] = await read(
				await query<GrantLine>`${SELECT} AND c.edge = ${edge} AND c.subject = (SELECT subject FROM edge_journal
					WHERE edge = ${edge} AND n = ${n})`,
			);
			return found;
		},
		async find(id: string, sessionId?: string): Promise<HubGrant | undefined> {
			const lines = await query<GrantLine>`${SELECT} AND c.subject = ${id} LIMIT ${literal(MAX_MACHINES)}`;
			const found = await read(lines);
			if (sessionId !== undefined) return found.find(({ record }) => record.sessionId === sessionId);
			return lines.length === 1 ? found[0] : undefined;
		},
	};
}

export type GrantStore = ReturnType<typeof createGrantStore>;
