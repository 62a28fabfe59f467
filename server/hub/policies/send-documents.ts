import { type CommandRefusal, ROSTER_MS, type Roster } from '#lib/contract/hub/hub-commands.ts';
import { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { type Ask, literal, sql } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { CONNECTED } from '../machines/edge-store.ts';
import { type VersionRow, versionOf } from './policy-service.ts';
import { fillRoster, readEntries } from './roster-service.ts';

const AGAIN_MS = ROSTER_MS / 2;
const MINUTE_MS = 60_000;
/** A machine that keeps claiming a newer roster does not cause constant resending. */
const REST_MINUTES = 10;
/** Answers of a machine that has a newer roster than its hub, for example after the hub's database was restored. */
const AHEAD: ReadonlySet<string | undefined> = new Set<CommandRefusal>(['roster/older', 'roster/other-content']);

const HELD = sql`CASE WHEN s.n IS NULL OR EXISTS (
	SELECT 1 FROM commands c WHERE c.edge = s.edge AND c.n = s.n AND c.state = 'done') THEN s.until ELSE s.held_until END`;

interface Checking {
	edge: number;
	team: number;
	name: string;
	version: number | null;
	until: Date | null;
	result: string | null;
}

const isAhead = ({ result }: Checking): boolean =>
	result !== null && AHEAD.has(CommandResult.parse(JSON.parse(result)).why);

interface StoredRoster {
	team: number;
	version: number;
	entries: string;
}

/** Sends rosters that changed or expire soon. Sending one twice is harmless. */
export async function sendRosters(
	ask: Ask,
	commands: Pick<CommandStore, 'append'>,
	{ root }: Pick<HubIdentity, 'root'>,
	edges: readonly number[],
	now: number,
): Promise<void> {
	if (root.v === 1 || edges.length === 0) return;
	const checking = await ask<Checking>`SELECT e.id AS edge, e.team, t.name, s.version, s.until, c.result FROM edges e
		JOIN teams t ON t.id = e.team LEFT JOIN roster_sends s ON s.edge = e.id LEFT JOIN commands c ON c.edge = s.edge
		AND c.n = s.n WHERE e.id = ANY (${edges}) AND e.level = 'passkey' ORDER BY e.id`;
	if (checking.length === 0) return;
	const teams = new Map(checking.map(({ team, name }) => [team, name]));
	const all = await readEntries(ask);
	const kept =
		await ask<StoredRoster>`SELECT team, version, entries FROM rosters WHERE team = ANY (${[...teams.keys()]})`;
	for (const [team, name] of teams) {
		const wanted = JSON.stringify(fillRoster(name, all).entries);
		const stored = kept.find((one) => one.team === team && one.entries === wanted);
		const current = stored ?? (await storeRoster(ask, team, wanted));
		const here = checking.filter((one) => one.team === team);
		const isBehind = here.some((one) => one.version === current.version && isAhead(one));
		const { version, entries } = isBehind ? await raise(ask, current, now) : current;
		for (const { edge, version: sent, until } of here) {
			if (sent === version && until && until.getTime() - now > AGAIN_MS) continue;
			const roster: Roster = { v: 1, team: name, version, until: now + ROSTER_MS, entries: JSON.parse(entries) };
			const n = await commands.append(edge, 'roster', roster);
			await ask`INSERT INTO roster_sends AS s (edge, version, until, n) VALUES (${edge}, ${version},
				${new Date(roster.until)}, ${n}) ON CONFLICT (edge) DO UPDATE
				SET version = ${version}, until = ${new Date(roster.until)}, n = ${n}, held_until = ${HELD}`;
		}
	}
}

/** A new version whenever the content changes. */
async function storeRoster(ask: Ask, team: number, entries: string): Promise<StoredRoster> {
	await ask`INSERT INTO rosters (team, version, entries) VALUES (${team}, 1, ${entries}) ON CONFLICT (team) DO UPDATE
		SET version = rosters.version + 1, entries = ${entries} WHERE rosters.entries <> ${entries}`;
	const [current] = await ask<StoredRoster>`SELECT team, version, entries FROM rosters WHERE team = ${team}`;
	if (!current) throw new Error('A roster was neither made nor found.');
	return current;
}

/**
 * After a restored database the version continues at the minutes since 1970. The numbers that machines report are not trusted: a
 * false one could use up all numbers.
 */
async function raise(ask: Ask, current: StoredRoster, now: number): Promise<StoredRoster> {
	const minutes = Math.floor(now / MINUTE_MS);
	const [raised] = await ask<StoredRoster>`UPDATE rosters SET version = ${minutes} WHERE team = ${current.team}
		AND version = ${current.version} AND version <= ${minutes - REST_MINUTES} RETURNING team, version, entries`;
	return raised ?? current;
}

export async function readRosterAge(ask: Ask, now: number): Promise<number | undefined> {
	const [found] = await ask<{ until: Date | null }>`SELECT min(${HELD}) AS until FROM roster_sends s JOIN edges e
		ON e.id = s.edge WHERE e.level = 'passkey' AND ${CONNECTED}`;
	return found?.until ? Math.max(0, now - (found.until.getTime() - ROSTER_MS)) / 1000 : undefined;
}

const PAGE = 200;

/** Sends every version in order: what the hub's key may sign depends on the version before. Sending one twice is harmless. */
export async function sendPolicies(
	ask: Ask,
	commands: Pick<CommandStore, 'append'>,
	edges: readonly number[],
): Promise<void> {
	if (edges.length === 0) return;
	const due = await ask<VersionRow & { edge: number; version: number }>`SELECT e.id AS edge, p.* FROM policies p
		JOIN edges e ON e.team = p.team WHERE p.ready AND p.removed_at IS NULL AND p.expires > now()
		AND e.id = ANY (${edges}) AND NOT EXISTS (SELECT 1 FROM policy_sends s WHERE s.edge = e.id
		AND s.version >= p.version) ORDER BY p.version, e.id LIMIT ${literal(PAGE)}`;
	for (const { edge, version, ...row } of due) {
		const kept = versionOf(row);
		if (!kept) continue;
		const n = await commands.append(edge, 'policy', kept.signed);
		await ask`INSERT INTO policy_sends (edge, version, n) VALUES (${edge}, ${version}, ${n})
			ON CONFLICT (edge, version) DO UPDATE SET n = ${n}`;
	}
}
