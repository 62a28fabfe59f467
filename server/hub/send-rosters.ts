import { ROSTER_MS, type Roster } from '#lib/contract/hub-roster.ts';
import type { CommandBook } from './command-book.ts';
import type { Ask } from './database.ts';
import type { HubIdentity } from './hub-key.ts';
import { CONNECTED } from './list-edges.ts';
import { fillRoster, readEntries } from './roster-book.ts';

/** Said again when half of the time is over for which it stands. */
const AGAIN_MS = ROSTER_MS / 2;

/** Until when what an edge has taken stands there; of `roster_sends s`. */
const HELD = `CASE WHEN s.n IS NULL OR EXISTS (
	SELECT 1 FROM commands c WHERE c.edge = s.edge AND c.n = s.n AND c.state = 'done') THEN s.until ELSE s.held_until END`;

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
	const all = await readEntries(ask);
	const kept = await ask<KeptRoster>('SELECT team, version, entries FROM rosters WHERE team = ANY ($1)', [
		[...teams.keys()],
	]);
	for (const [team, name] of teams) {
		const wanted = JSON.stringify(fillRoster(name, all).entries);
		const stands = kept.find((one) => one.team === team && one.entries === wanted);
		const { version, entries } = stands ?? (await keep(ask, team, wanted));
		for (const { edge, version: sent, until } of checking.filter((one) => one.team === team)) {
			if (sent === version && until && until.getTime() - now > AGAIN_MS) continue;
			const roster: Roster = { v: 1, team: name, version, until: now + ROSTER_MS, entries: JSON.parse(entries) };
			const n = await commands.append(edge, 'roster', roster);
			await ask(
				`INSERT INTO roster_sends AS s (edge, version, until, n) VALUES ($1, $2, $3, $4)
				ON CONFLICT (edge) DO UPDATE SET version = $2, until = $3, n = $4, held_until = ${HELD}`,
				[edge, version, new Date(roster.until), n],
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

/** How old the oldest roster is that a connected edge has taken, in seconds; undefined where none has. */
export async function readRosterAge(ask: Ask, now: number): Promise<number | undefined> {
	const [found] = await ask<{ until: Date | null }>(
		`SELECT min(${HELD}) AS until FROM roster_sends s JOIN edges e ON e.id = s.edge WHERE e.level = 'passkey' AND ${CONNECTED}`,
	);
	return found?.until ? Math.max(0, now - (found.until.getTime() - ROSTER_MS)) / 1000 : undefined;
}
