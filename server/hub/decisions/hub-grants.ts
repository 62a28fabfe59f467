import type { HistoryRow } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { GrantCommand, HubDecider } from '#lib/contract/hub/hub-commands.ts';
import { grantOf, MOST_GRANT_MS } from '#lib/grants/grant-record.ts';
import { may } from '#lib/hub/may.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import { findRoles } from '../people/people-store.ts';
import { type EdgeJournalStore, type KeptRow, rowOf } from '../timelines/edge-journal-store.ts';
import type { HubReader } from './hub-approvals.ts';
import { demandDone, type MachineCommands } from './machine-commands.ts';

const REACH = 500;

function createHubGrants(options: { grantStore: GrantStore; machines: MachineCommands; origin: string }) {
	const { grantStore, machines, origin } = options;
	const end = createGrantEnd(machines);

	function demandOurs(grant: HubGrant | undefined): HubGrant {
		if (!grant) throw new AppError('grant/not-found');
		const { by, state } = grant.record;
		if (by.hub?.origin !== origin) throw new AppError('grant/of-machine');
		if (state !== 'active') throw new AppError('grant/ended');
		return grant;
	}

	return {
		forReader({ teams, sees, grants, person }: HubReader) {
			return {
				async list(state: GrantState | undefined, limit: number): Promise<GrantRecord[]> {
					const found = (await grantStore.list(teams, state, REACH)).filter(sees);
					return found.slice(0, limit).map(({ record }) => record);
				},
				async revoke(id: string, { reason, sessionId }: RevokeBody): Promise<GrantRecord> {
					const found = await grantStore.find(id, sessionId);
					const grant = demandOurs(found && sees(found) ? found : undefined);
					const who = await machines.whoIs(person);
					if (!who || !grants(grant)) throw new AppError('auth/forbidden');
					demandDone(await machines.answer(grant, await end(grant, who, reason)));
					return (await grantStore.find(id, grant.record.sessionId))?.record ?? grant.record;
				},
			};
		},
	};
}

export type HubGrants = ReturnType<typeof createHubGrants>;

const createGrantEnd =
	(machines: Pick<MachineCommands, 'send'>) =>
	(grant: HubGrant, person: HubDecider, reason?: string): Promise<number> => {
		const { edge, record } = grant;
		const why = reason ? { reason } : {};
		const row = { kind: 'hub:revoke', subject: record.id, payload: { edge, person, ...why } } as const;
		const body: GrantCommand = { v: 1, edge, action: 'revoke', grant: record.id, person, ...why };
		return machines.send(grant, 'grant', row, () => body);
	};

const LOOK_MS = 5000;

interface TakeBackOptions {
	ask: Ask;
	origin: string;
	grantStore: Pick<GrantStore, 'ofHubAt' | 'counts'>;
	end: ReturnType<typeof createGrantEnd>;
	edges: () => readonly number[];
}

/** Machines that check passkeys learn it from their roster, too. */
const startGrantTakeBack = ({
	failed,
	...options
}: TakeBackOptions & { failed: (error: unknown) => void }): (() => void) =>
	repeat(LOOK_MS, createGrantTakeBack(options), failed);

export function createGrantTakeBack({ ask, origin, grantStore, end, edges }: TakeBackOptions): () => Promise<void> {
	const rolesOf = findRoles(ask);
	/** A machine receives it once: now, or with its next connection. */
	let reported = new Set<string>();

	return async () => {
		const here = edges();
		const grants = here.length === 0 ? [] : await grantStore.ofHubAt(here);
		const ids = new Set(grants.map(({ record }) => record.id));
		reported = new Set([...reported].filter((id) => ids.has(id)));
		const rolesNow = eachOnce(rolesOf);
		for (const grant of grants) {
			const { id, by } = grant.record;
			if (by.hub?.origin !== origin || reported.has(id)) continue;
			const { iss, sub } = by.hub;
			if (may(await rolesNow({ iss, sub }), 'grant', grant) || !(await grantStore.counts(grant))) continue;
			await end(grant, { iss, sub, name: by.name ?? sub }, 'who allowed it may not any more');
			reported.add(id);
		}
	};
}

/** Few people have allowed many. */
function eachOnce(rolesOf: ReturnType<typeof findRoles>): typeof rolesOf {
	const known = new Map<string, ReturnType<typeof rolesOf>>();
	return ({ iss, sub }) => {
		const name = JSON.stringify([iss, sub]);
		const roles = known.get(name) ?? rolesOf({ iss, sub });
		known.set(name, roles);
		return roles;
	};
}

export function openHubGrants(options: {
	ask: Ask;
	journals: Pick<EdgeJournalStore, 'histories'>;
	machines: MachineCommands;
	origin: string;
	now: () => number;
}) {
	const { ask, journals, machines, origin, now } = options;
	const grantStore = createGrantStore(ask, journals.histories, now);
	const end = createGrantEnd(machines);
	return {
		grants: createHubGrants({ machines, origin, grantStore }),
		startTakingBack: (edges: () => readonly number[], failed: (error: unknown) => void) =>
			startGrantTakeBack({ ask, origin, grantStore, end, edges, failed }),
	};
}

interface HubGrant {
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

const FIELDS = 'c.edge, e.team, e.name AS machine, m.name AS team_name, s.project, c.subject';
const PLACE = `JOIN edges e ON e.id = c.edge JOIN teams m ON m.id = e.team
	LEFT JOIN LATERAL (SELECT project FROM sessions WHERE edge = c.edge AND session_id = c.session_id
		ORDER BY gen DESC, roll DESC LIMIT 1) s ON true`;
const SELECT = `SELECT ${FIELDS} FROM edge_journal c ${PLACE} WHERE c.kind = 'grant:create'`;
/** A used grant is ended by its record, not by a row. */
const OPEN = `NOT EXISTS (SELECT 1 FROM edge_journal o WHERE o.edge = c.edge AND o.subject = c.subject
	AND o.kind IN ('grant:revoke', 'grant:expire'))`;
const MOST_OF_HUB = 500;
const MOST_MACHINES = 1000;
const OF_HUB = `kind = 'grant:create' AND payload LIKE '%"via":"hub"%'`;
/** Clocks of machines may differ by a day. */
const LIFE_MS = MOST_GRANT_MS + 24 * 3600_000;

export function createGrantStore(ask: Ask, histories: EdgeJournalStore['histories'], now: () => number) {
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
			const lines = await ask<GrantLine>(
				`${SELECT} AND ($1::int[] IS NULL OR e.team = ANY ($1)) AND c.ts >= $2 ${isOpen ? `AND ${OPEN}` : ''}
				ORDER BY c.ts DESC, c.edge, c.n DESC LIMIT $3`,
				[teams && [...teams], since, limit],
			);
			const found = await read(lines);
			return state === undefined ? found : found.filter(({ record }) => record.state === state);
		},
		/** At most 500 of each machine, so that one cannot hide those of others. */
		async ofHubAt(edges: readonly number[]): Promise<HubGrant[]> {
			const lines = await ask<GrantLine & KeptRow>(
				`SELECT ${FIELDS}, c.n, c.id, c.ts, c.kind, c.session_id, c.payload FROM unnest($1::int[]) AS at (edge) CROSS JOIN LATERAL (
					SELECT * FROM edge_journal WHERE edge = at.edge AND ${OF_HUB} ORDER BY n DESC LIMIT ${MOST_OF_HUB}
				) c ${PLACE} WHERE c.ts >= $2 AND ${OPEN}`,
				[[...edges], new Date(now() - LIFE_MS).toISOString()],
			);
			const made = lines.flatMap((line) => readOne(line, [rowOf(line)]));
			return made.filter(({ record }) => record.state === 'active');
		},
		async counts({ edge, record: { id, expires } }: HubGrant): Promise<boolean> {
			const found = grantOf((await histories(edge, [id])).get(id) ?? []);
			return found?.state === 'active' && Date.parse(expires) > now();
		},
		async find(id: string, sessionId?: string): Promise<HubGrant | undefined> {
			const lines = await ask<GrantLine>(`${SELECT} AND c.subject = $1 LIMIT ${MOST_MACHINES}`, [id]);
			const found = await read(lines);
			if (sessionId !== undefined) return found.find(({ record }) => record.sessionId === sessionId);
			return lines.length === 1 ? found[0] : undefined;
		},
	};
}

type GrantStore = ReturnType<typeof createGrantStore>;
