import type { Ask } from '../database/database.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { type VersionRow, versionOf } from './policy-store.ts';

/** So many machines are given theirs at a time; the others at the next look. */
const PAGE = 200;

/**
 * Gives each of these edges the versions of its team's policy that it has not been given, also one that has just joined. All
 * of them in their order: what the hub's key may sign after one of a root passkey's, it may not after the one before that.
 * Two that do it at once send one twice, which is the same as once.
 */
export async function sendPolicies(
	ask: Ask,
	commands: Pick<CommandStore, 'append'>,
	edges: readonly number[],
): Promise<void> {
	if (edges.length === 0) return;
	const due = await ask<VersionRow & { edge: number; version: number }>(
		`SELECT e.id AS edge, p.* FROM policies p JOIN edges e ON e.team = p.team
		WHERE p.ready AND p.removed_at IS NULL AND p.expires > now() AND e.id = ANY ($1)
		AND NOT EXISTS (SELECT 1 FROM policy_sends s WHERE s.edge = e.id AND s.version >= p.version)
		ORDER BY p.version, e.id LIMIT ${PAGE}`,
		[[...edges]],
	);
	for (const { edge, version, ...row } of due) {
		const kept = versionOf(row);
		if (!kept) continue;
		const n = await commands.append(edge, 'policy', kept.signed);
		await ask(
			'INSERT INTO policy_sends (edge, version, n) VALUES ($1, $2, $3) ON CONFLICT (edge, version) DO UPDATE SET n = $3',
			[edge, version, n],
		);
	}
}
