import type * as z from 'zod';
import type { CodeBody, EdgeChange, EdgesQuery, HubEdge, HubEdges, MadeCode } from '#lib/contract/edges.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type HubRole, may, scopeOf } from '#lib/hub/may.ts';
import type { Ask } from './database.ts';
import type { EdgeBook } from './edge-book.ts';
import type { Hints } from './hints.ts';
import type { HubIdentity } from './hub-key.ts';
import { joinLine } from './join-line.ts';
import { listEdges } from './list-edges.ts';

const NO_MACHINE = 'There is no such machine in a team of which you are an admin.';

export interface EdgeDeskOptions {
	ask: Ask;
	edges: EdgeBook;
	identity: HubIdentity;
	hints: Pick<Hints, 'tell'>;
	now: () => number;
}

/** What people do with the machines of a hub, each as far as `roles` go. */
export function createEdgeDesk({ ask, edges, identity, hints, now }: EdgeDeskOptions) {
	const scopeFor = (roles: readonly HubRole[]) => {
		const { teams } = scopeOf(roles, 'edges');
		return teams === 'all' ? null : teams;
	};

	return {
		/** The machines of one's teams. Throws `auth/forbidden` to who is nowhere an admin. */
		async list(roles: readonly HubRole[], query: z.output<typeof EdgesQuery>): Promise<HubEdges> {
			const teams = scopeFor(roles);
			if (teams?.length === 0) throw new AppError('auth/forbidden');
			const [found, named] = await Promise.all([
				listEdges(ask, { teams, ...query }),
				ask<{ name: string }>('SELECT name FROM teams WHERE $1::int[] IS NULL OR id = ANY ($1) ORDER BY name', [teams]),
			]);
			return { ...found, teams: named.map(({ name }) => name), newTeams: teams === null };
		},
		/** Makes a code. Throws `auth/forbidden` where the team is not one's own; a new one is made only by who has all. */
		async mint(roles: readonly HubRole[], wish: z.output<typeof CodeBody>): Promise<MadeCode> {
			const { team, uses, minutes, labels } = wish;
			const [known] = await ask<{ id: number }>('SELECT id FROM teams WHERE name = $1', [team]);
			if (!may(roles, 'edges', known ? { team: known.id } : 'org')) throw new AppError('auth/forbidden');
			const until = new Date(now() + minutes * 60_000).toISOString();
			return {
				line: joinLine(identity.root.origin, identity, await edges.mintCode(team, uses, minutes, labels)),
				until,
			};
		},
		/** Takes a machine back or sends it away. Throws `route/not-found` where there is none of that number in one's teams. */
		async change(roles: readonly HubRole[], id: number, { action }: z.output<typeof EdgeChange>): Promise<HubEdge> {
			const wish = { teams: scopeFor(roles), id };
			const [before] = (await listEdges(ask, wish)).edges;
			if (!before) throw new AppError('route/not-found', NO_MACHINE);
			await edges.setStatus(id, action === 'accept' ? 'joined' : 'revoked');
			// Whichever replica has its connection looks at once.
			hints.tell(`edge:${id}`);
			const [after = before] = (await listEdges(ask, wish)).edges;
			return after;
		},
	};
}

export type EdgeDesk = ReturnType<typeof createEdgeDesk>;
