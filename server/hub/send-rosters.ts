import { ROSTER_MS, type Roster } from '#lib/contract/hub-roster.ts';
import type { CommandBook } from './command-book.ts';
import type { Ask } from './database.ts';
import type { HubIdentity } from './hub-key.ts';
import { createRosterBook } from './roster-book.ts';

/** Said again when half of the time is over for which it stands. */
const AGAIN_MS = ROSTER_MS / 2;

/**
 * Gives each of these edges that checks passkeys itself the roster of its team, where it has another or its hub's word for it
 * grows old. Two that do it at once send one twice, which is the same as once.
 */
export async function sendRosters(
	ask: Ask,
	commands: Pick<CommandBook, 'append'>,
	{ root }: Pick<HubIdentity, 'root'>,
	edges: readonly number[],
	now: number,
): Promise<void> {
	if (root.v === 1 || edges.length === 0) return;
	const checking = await ask<{ edge: number; team: number; name: string; version: number | null; until: Date | null }>(
		`SELECT e.id AS edge, e.team, t.name, s.version, s.until FROM edges e JOIN teams t ON t.id = e.team
		LEFT JOIN roster_sends s ON s.edge = e.id WHERE e.id = ANY ($1) AND e.level = 'passkey' ORDER BY e.id`,
		[[...edges]],
	);
	const book = createRosterBook(ask, { root });
	for (const team of new Set(checking.map((one) => one.team))) {
		const here = checking.filter((one) => one.team === team);
		const [{ name } = { name: '' }] = here;
		const { version, entries } = await currentOf(ask, team, JSON.stringify(await book.entriesIn(name)));
		for (const { edge, version: sent, until } of here) {
			if (sent === version && until && until.getTime() - now > AGAIN_MS) continue;
			const roster: Roster = { v: 1, team: name, version, until: now + ROSTER_MS, entries: JSON.parse(entries) };
			await commands.append(edge, 'roster', roster);
			await ask(
				`INSERT INTO roster_sends (edge, version, until) VALUES ($1, $2, $3)
				ON CONFLICT (edge) DO UPDATE SET version = $2, until = $3`,
				[edge, version, new Date(roster.until)],
			);
		}
	}
}

/** The version of a team's list, which is the next one where another stood there: one version never has two contents. */
async function currentOf(ask: Ask, team: number, entries: string): Promise<{ version: number; entries: string }> {
	await ask(
		`INSERT INTO rosters (team, version, entries) VALUES ($1, 1, $2)
		ON CONFLICT (team) DO UPDATE SET version = rosters.version + 1, entries = $2 WHERE rosters.entries <> $2`,
		[team, entries],
	);
	const [current] = await ask<{ version: number; entries: string }>(
		'SELECT version, entries FROM rosters WHERE team = $1',
		[team],
	);
	if (!current) throw new Error('A roster was neither made nor found.');
	return current;
}
