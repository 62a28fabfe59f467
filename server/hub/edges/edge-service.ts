import type * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import type {
	CodeBody,
	EdgeChange,
	EdgeState,
	EdgesQuery,
	HubEdge,
	HubEdges,
	MadeCode,
} from '#lib/contract/hub/edges.ts';
import { type HubRole, may, scopeOf } from '#lib/hub/may.ts';
import { rootFingerprint } from '../../hub-protocol/signatures.ts';
import { shellWord } from '../../process/program-name.ts';
import type { HubCore } from '../core/hub-core.ts';
import type { HubActor } from '../core/hub-journal.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { findTeam, type HubUser, readTeams } from '../people/people-store.ts';
import { type EdgeStore, listEdges } from './edge-store.ts';

type Change = z.output<typeof EdgeChange>;

const NO_MACHINE = 'There is no such machine in a team of which you are an admin.';

/** The machines that a person may see and change. */
export function createEdgeService(hub: HubCore, edges: EdgeStore) {
	const { query, identity, hints } = hub;
	const actions = createEdgeActions(hub, edges);
	const scopeFor = (roles: readonly HubRole[]) => {
		const { teams } = scopeOf(roles, 'edges');
		return teams === 'all' ? null : teams;
	};

	return {
		async list({ roles }: HubUser, filter: z.output<typeof EdgesQuery>): Promise<HubEdges> {
			const teams = scopeFor(roles);
			if (teams?.length === 0) throw new AppError('auth/forbidden');
			const [found, named] = await Promise.all([listEdges(query, { teams, ...filter }), readTeams(query, teams)]);
			return { ...found, teams: named.map(({ name }) => name), newTeams: teams === null };
		},
		async mint({ roles, ...by }: HubUser, options: z.output<typeof CodeBody>): Promise<MadeCode> {
			const known = await findTeam(query, options.team);
			if (!may(roles, 'edges', known === undefined ? 'org' : { team: known })) throw new AppError('auth/forbidden');
			const { code, until } = await actions.mint(by, options);
			return { line: joinLine(identity, code), until };
		},
		async change({ roles, ...by }: HubUser, id: number, { action }: Change): Promise<HubEdge> {
			const filter = { teams: scopeFor(roles), id };
			const [before] = (await listEdges(query, filter)).edges;
			if (!before) throw new AppError('route/not-found', NO_MACHINE);
			const result = await actions.change(by, id, action);
			if (action === 'accept' && result !== 'joined') throw new AppError('edge/revoked');
			hints.send(`edge:${id}`);
			const [after = before] = (await listEdges(query, filter)).edges;
			return after;
		},
	};
}

export type EdgeService = ReturnType<typeof createEdgeService>;

/** Also used by the command line on the hub's own machine. */
export function createEdgeActions(
	{ query, journal, now }: Pick<HubCore, 'query' | 'journal' | 'now'>,
	edges: EdgeStore,
) {
	return {
		async mint(by: HubActor, options: z.output<typeof CodeBody>): Promise<{ code: string; until: string }> {
			const { team, uses, minutes, labels } = options;
			const until = new Date(now() + minutes * 60_000).toISOString();
			const code = await edges.mintCode(team, uses, minutes, { labels, fleet: uses > 1 });
			const id = (await findTeam(query, team)) ?? 0;
			await journal.append(id, { kind: 'edge:code', subject: `team:${id}`, payload: { by, uses, until, labels } });
			return { code, until };
		},
		async change(by: HubActor, id: number, action: Change['action']): Promise<EdgeState | undefined> {
			const [before] = await query<{ team: number; machine: string; state: EdgeState; reason: string | null }>`
				SELECT team, name AS machine, status AS state, reason FROM edges WHERE id = ${id}`;
			if (!before || (before.state === 'revoked' && action === 'accept')) return before?.state;
			const { team, ...stood } = before;
			await journal.append(team, { kind: `edge:${action}`, subject: `edge:${id}`, payload: { by, ...stood } });
			return edges.setStatus(id, action === 'accept' ? 'joined' : 'revoked');
		},
	};
}

export type EdgeActions = ReturnType<typeof createEdgeActions>;

/** The command for a new machine. Its fingerprint keeps the hub from replacing its root document later. */
export const joinLine = ({ root }: HubIdentity, code: string): string =>
	`signalbox join ${shellWord(root.origin)} '${code}#${rootFingerprint(root)}'`;
