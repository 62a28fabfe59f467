import { expect, test } from 'vitest';
import type { DecisionCommand } from '#lib/contract/hub/hub-commands.ts';
import { createDecisionsUnderWay } from './hub-approvals.ts';

const NOW = 1_000_000;
const [ONE, OTHER] = ['bc0e47e7-6881-44da-9743-1fec24f6ad72', 'bc0e47e7-6881-44da-9743-1fec24f6ad73'];
const body: DecisionCommand = {
	...{ v: 1, edge: 1, ticket: ONE, digest: 'a'.repeat(64), nonce: 'n'.repeat(22), said: { decision: 'approve' } },
	...{ person: { iss: 'hub', sub: 'eve', name: 'eve' }, expires: NOW + 1 },
	journal: { team: 1, n: 1, hash: 'b'.repeat(64) },
};

/** As the commands of one machine are stored, each signed as that. */
function underWay(bodies: readonly (DecisionCommand | undefined)[]) {
	const commands = {
		unanswered: async () =>
			bodies.map((_, index) => ({ edge: 1, n: index + 1, kind: 'decision', envelope: String(index) })),
		unseal: (_edge: number, { envelope }: { envelope: string }) => bodies[Number(envelope)],
	};
	return createDecisionsUnderWay({ commands, now: () => NOW });
}
const about = (ticket: string) => ({ edge: 1, record: { id: ticket } });

test('of several decisions about a call the first is shown; a late one, or one that this hub did not make, is ignored', async () => {
	const late = { ...body, expires: NOW };
	const second = { ...body, said: { decision: 'deny' as const } };
	const other = { ...second, ticket: OTHER };
	const known = underWay([late, undefined, body, second, other]);
	expect(await known.about(about(ONE))).toEqual(body);
	expect(await known.about(about(OTHER))).toEqual(other);
	expect(await known.inTeams(null)).toEqual([body, other]);
	expect(await underWay([late]).about(about(ONE))).toBeUndefined();
});
