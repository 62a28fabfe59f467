import type * as z from 'zod';
import type { CodeBody, EdgeChange, EdgeState } from '#lib/contract/hub/edges.ts';
import type { Ask } from '../database/database.ts';
import type { HubActor, HubJournal } from '../timelines/hub-journal.ts';
import type { EdgeStore } from './edge-store.ts';

interface EdgeActionOptions {
	ask: Ask;
	edges: EdgeStore;
	journal: HubJournal;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** What is done to the machines of a hub, on its pages or at its own machine: who did it stands in the team's journal. */
export function createEdgeActions({ ask, edges, journal, now }: EdgeActionOptions) {
	return {
		/** Makes a code, and its team where there is none. */
		async mint(by: HubActor, wish: z.output<typeof CodeBody>): Promise<{ code: string; until: string }> {
			const { team, uses, minutes, labels } = wish;
			const until = new Date(now() + minutes * 60_000).toISOString();
			const code = await edges.mintCode(team, uses, minutes, { labels, fleet: uses > 1 });
			const [{ id } = { id: 0 }] = await ask<{ id: number }>('SELECT id FROM teams WHERE name = $1', [team]);
			await journal.append(id, { kind: 'edge:code', subject: `team:${id}`, payload: { by, uses, until, labels } });
			return { code, until };
		},
		/** Takes a machine in or back, or sends it away. Gives how it stands then; undefined where there is none. */
		async change(
			by: HubActor,
			id: number,
			action: z.output<typeof EdgeChange>['action'],
		): Promise<EdgeState | undefined> {
			const [before] = await ask<{ team: number; machine: string; state: EdgeState; reason: string | null }>(
				'SELECT team, name AS machine, status AS state, reason FROM edges WHERE id = $1',
				[id],
			);
			if (!before || (before.state === 'revoked' && action === 'accept')) return before?.state;
			const { team, ...stood } = before;
			await journal.append(team, { kind: `edge:${action}`, subject: `edge:${id}`, payload: { by, ...stood } });
			return edges.setStatus(id, action === 'accept' ? 'joined' : 'revoked');
		},
	};
}

export type EdgeActions = ReturnType<typeof createEdgeActions>;
