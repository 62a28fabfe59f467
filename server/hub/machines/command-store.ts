import { Command, CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { openCommand, sealCommand } from '../../edge/signatures.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';

const PAGE = 50;
const MOST_TOLD = 200;

export function createCommandStore(ask: Ask, { root: { origin, key }, privateKey }: HubIdentity) {
	return {
		/** Numbers count up by edge, in commit order. */
		async append(edge: number, kind: string, body: object): Promise<number> {
			const envelope = sealCommand({ origin, edge, kind }, body, privateKey);
			const [made] = await ask<{ n: number }>(
				`WITH e AS (UPDATE edges SET commands = commands + 1 WHERE id = $1 RETURNING id, commands)
				INSERT INTO commands (edge, n, kind, envelope) SELECT id, commands, $2, $3 FROM e RETURNING n`,
				[edge, kind, envelope],
			);
			if (!made) throw new Error(`There is no edge ${edge} to which a command could be given.`);
			return made.n;
		},
		open: (edge: number, { kind, envelope }: Command): unknown => openCommand({ origin, edge, kind }, envelope, key),
		async pending(edge: number, after: number): Promise<Command[]> {
			return (
				await ask<Command>(
					`SELECT n, kind, envelope FROM commands WHERE edge = $1 AND n > $2 AND state = 'waiting' ORDER BY n LIMIT ${PAGE}`,
					[edge, after],
				)
			).map((row) => Command.parse(row));
		},
		async unanswered(
			kind: string,
			{ teams = null, edge = null }: { teams?: readonly number[] | null; edge?: number | null },
		): Promise<(Command & { edge: number })[]> {
			const found = await ask<Command & { edge: number }>(
				`SELECT c.edge, c.n, c.kind, c.envelope FROM commands c JOIN edges e ON e.id = c.edge
				WHERE c.state = 'waiting' AND c.kind = $1 AND c.made_at > now() - interval '10 minutes'
				AND ($2::int[] IS NULL OR e.team = ANY ($2)) AND ($3::int IS NULL OR c.edge = $3) ORDER BY c.n LIMIT ${MOST_TOLD}`,
				[kind, teams && [...teams], edge],
			);
			return found.map(({ edge: of, ...command }) => ({ ...Command.parse(command), edge: of }));
		},
		async awaited(edges: readonly number[]): Promise<number[]> {
			if (edges.length === 0) return [];
			const found = await ask<{ edge: number }>(
				"SELECT DISTINCT edge FROM commands WHERE state = 'waiting' AND edge = ANY ($1)",
				[[...edges]],
			);
			return found.map(({ edge }) => edge);
		},
		/** The first answer counts. */
		async settle(edge: number, result: CommandResult): Promise<boolean> {
			const settled = await ask(
				"UPDATE commands SET state = $3, result = $4 WHERE edge = $1 AND n = $2 AND state = 'waiting' RETURNING n",
				[edge, result.n, result.state, JSON.stringify(result)],
			);
			return settled.length > 0;
		},
		async result(edge: number, n: number): Promise<CommandResult | null> {
			const [found] = await ask<{ result: string | null }>('SELECT result FROM commands WHERE edge = $1 AND n = $2', [
				edge,
				n,
			]);
			return found?.result ? CommandResult.parse(JSON.parse(found.result)) : null;
		},
	};
}

export type CommandStore = ReturnType<typeof createCommandStore>;
