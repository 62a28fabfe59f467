import { Command, CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { openCommand, sealCommand } from '../../hub-protocol/signatures.ts';
import { isAny, literal, type Query } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';

const PAGE = 50;
const MAX_READ = 200;

export function createCommandStore(query: Query, { root: { origin, key }, privateKey }: HubIdentity) {
	return {
		/** Numbers count up by edge, in commit order. */
		async append(edge: number, kind: string, body: object): Promise<number> {
			const envelope = sealCommand({ origin, edge, kind }, body, privateKey);
			const [made] = await query<{ n: number }>`WITH e AS (UPDATE edges SET commands = commands + 1 WHERE id = ${edge}
				RETURNING id, commands) INSERT INTO commands (edge, n, kind, envelope)
				SELECT id, commands, ${kind}, ${envelope} FROM e RETURNING n`;
			if (!made) throw new Error(`There is no edge ${edge} to which a command could be given.`);
			return made.n;
		},
		unseal: (edge: number, { kind, envelope }: Command): unknown => openCommand({ origin, edge, kind }, envelope, key),
		async pending(edge: number, after: number): Promise<Command[]> {
			return (
				await query<Command>`SELECT n, kind, envelope FROM commands WHERE edge = ${edge} AND n > ${after}
					AND state = 'waiting' ORDER BY n LIMIT ${literal(PAGE)}`
			).map((row) => Command.parse(row));
		},
		async unanswered(
			kind: string,
			{ teams = null, edge = null }: { teams?: readonly number[] | null; edge?: number | null },
		): Promise<(Command & { edge: number })[]> {
			const found = await query<Command & { edge: number }>`SELECT c.edge, c.n, c.kind, c.envelope FROM commands c
				JOIN edges e ON e.id = c.edge WHERE c.state = 'waiting' AND c.kind = ${kind}
				AND c.made_at > now() - interval '10 minutes' AND (${teams}::int[] IS NULL OR e.team = ANY (${teams}))
				AND (${edge}::int IS NULL OR c.edge = ${edge}) ORDER BY c.n LIMIT ${literal(MAX_READ)}`;
			return found.map(({ edge: of, ...command }) => ({ ...Command.parse(command), edge: of }));
		},
		async awaited(edges: readonly number[]): Promise<number[]> {
			if (edges.length === 0) return [];
			const found = await query<{ edge: number }>`SELECT DISTINCT edge FROM commands WHERE state = 'waiting'
				AND edge = ANY (${edges})`;
			return found.map(({ edge }) => edge);
		},
		/** The first answer counts. */
		recordResult: (edge: number, result: CommandResult): Promise<boolean> =>
			isAny(query`UPDATE commands SET state = ${result.state}, result = ${JSON.stringify(result)}
				WHERE edge = ${edge} AND n = ${result.n} AND state = 'waiting' RETURNING n`),
		async result(edge: number, n: number): Promise<CommandResult | null> {
			const [found] = await query<{ result: string | null }>`SELECT result FROM commands WHERE edge = ${edge}
				AND n = ${n}`;
			return found?.result ? CommandResult.parse(JSON.parse(found.result)) : null;
		},
	};
}

export type CommandStore = ReturnType<typeof createCommandStore>;
