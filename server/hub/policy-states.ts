import { CommandResult } from '#lib/contract/hub-wire.ts';
import type { Ask } from './database.ts';

/** What a machine made of a version of its team's policy. */
export interface PolicyStateOfEdge {
	edge: number;
	name: string;
	version: number;
	/** `waiting`: it has not answered yet. */
	state: 'waiting' | 'done' | 'refused';
	/** Of a refusal. */
	why?: string;
}

/** What the joined machines of a team made of what they were given: of each the newest version, by name. */
export async function readPolicyStates(ask: Ask, team: number): Promise<PolicyStateOfEdge[]> {
	const rows = await ask<{
		edge: number;
		name: string;
		version: number;
		state: PolicyStateOfEdge['state'];
		result: string | null;
	}>(
		`SELECT DISTINCT ON (e.name, e.id) e.id AS edge, e.name, s.version, c.state, c.result
		FROM edges e JOIN policy_sends s ON s.edge = e.id JOIN commands c ON c.edge = e.id AND c.n = s.n
		WHERE e.team = $1 AND e.status = 'joined' ORDER BY e.name, e.id, s.version DESC`,
		[team],
	);
	return rows.map(({ result, ...row }) => {
		const { why } = result === null ? {} : CommandResult.parse(JSON.parse(result));
		return { ...row, ...(why !== undefined && { why }) };
	});
}
