import { ROSTER_MS, type Roster } from '#lib/contract/hub-roster.ts';
import type { CommandBook } from './command-book.ts';
import type { Ask } from './database.ts';
import type { HubIdentity } from './hub-key.ts';
import { createRosterBook, entriesIn } from './roster-book.ts';

/** Said again when half of the time is over for which it stands. */
const AGAIN_MS = ROSTER_MS / 2;

interface KeptRoster {
	team: number;
	version: number;
	/** JSON. */
	entries: string;
}

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
	if (checking.length === 0) return;
	const teams = new Map(checking.map(({ team, name }) => [team, name]));
	const all = await createRosterBook(ask, { root }).entries();
	const kept = await ask<KeptRoster>('SELECT team, version, entries FROM rosters WHERE team = ANY ($1)', [
		[...teams.keys()],
	]);
	for (const [team, name] of teams) {
		const wanted = JSON.stringify(entriesIn(name, all));
		const stands = kept.find((one) => one.team === team && one.entries === wanted);
		const { version, entries } = stands ?? (await keep(ask, team, wanted));
		for (const { edge, version: sent, until } of checking.filter((one) => one.team === team)) {
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

/** A team's list as it stands now: the next version where another stood there, so that none ever has two contents. */
async function keep(ask: Ask, team: number, entries: string): Promise<KeptRoster> {
	await ask(
		`INSERT INTO rosters (team, version, entries) VALUES ($1, 1, $2)
		ON CONFLICT (team) DO UPDATE SET version = rosters.version + 1, entries = $2 WHERE rosters.entries <> $2`,
		[team, entries],
	);
	const [current] = await ask<KeptRoster>('SELECT team, version, entries FROM rosters WHERE team = $1', [team]);
	if (!current) throw new Error('A roster was neither made nor found.');
	return current;
}
