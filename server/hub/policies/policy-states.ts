import type { TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import type { Ask } from '../database/database.ts';

/** What a machine made of the newest version of its team's policy that it was given. */
export type PolicyStateOfEdge = TeamPolicy['machines'][number];

/** So many are told; a page is no place for more. */
const MOST = 500;

/** What the joined machines of a team made of what they were given, by name. */
export async function readPolicyStates(ask: Ask, team: number): Promise<PolicyStateOfEdge[]> {
	const rows = await ask<Omit<PolicyStateOfEdge, 'why'> & { result: string | null }>(
		`SELECT e.id AS edge, e.name, s.version, c.state, c.result FROM edges e
		LEFT JOIN LATERAL (SELECT * FROM policy_sends WHERE edge = e.id ORDER BY version DESC LIMIT 1) s ON true
		LEFT JOIN commands c ON c.edge = e.id AND c.n = s.n
		WHERE e.team = $1 AND e.status = 'joined' ORDER BY e.name, e.id LIMIT ${MOST}`,
		[team],
	);
	return rows.map(({ result, ...row }) => {
		const { why } = result === null ? {} : CommandResult.parse(JSON.parse(result));
		return { ...row, ...(why !== undefined && { why }) };
	});
}
