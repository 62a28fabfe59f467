import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import {
	type CommandRefusal,
	MAX_ENTRIES,
	ROSTER_MS,
	RootSignature,
	type Roster,
	RosterEntry,
	type RosterScope,
	SignedEntry,
} from '#lib/contract/hub/hub-commands.ts';
import type { PersonRoster } from '#lib/contract/hub/hub-people.ts';
import { CommandResult, type RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { type HubRole, may, scopeOf } from '#lib/hub/may.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { readPasskeyHeader } from '../../access/webauthn.ts';
import { entryDigest, isByRootPasskey } from '../../hub-protocol/signatures.ts';
import type { HubCore } from '../core/hub-core.ts';
import { isAny, type Query, sql } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../edges/command-store.ts';
import { CONNECTED } from '../edges/edge-store.ts';
import { type HubUser, ROLES_OF_P, type RoleRow, readTeams, roleOf, type Team } from '../people/people-store.ts';

/** A person's passkeys, and the root signatures that machines demand for them. */
export function createRosterService({ query, identity: { root }, journal }: HubCore) {
	async function read(person: number): Promise<PersonRoster> {
		const [lines, leftOut] = await Promise.all([readRosterLines(query, person), readLeftOut(query)]);
		const leftOutOf = (id: string) => [...leftOut].flatMap(([team, ids]) => (ids.includes(id) ? [team] : []));
		return {
			hasRoot: root.v === 2,
			mayDecide: lines.some(({ wanted }) => wanted !== undefined),
			passkeys: lines.flatMap((line) => {
				const { wanted, label, added } = line;
				const { id } = wanted?.passkey ?? line.signed?.entry.passkey ?? {};
				if (id === undefined) return [];
				const signed = isWhole(line);
				const challenge = signed || !wanted ? null : askRoot(root, entryDigest(wanted, root.origin));
				return [{ id, label, since: added.toISOString(), signed, leftOutOf: leftOutOf(id), ask: challenge }];
			}),
		};
	}

	return {
		async read({ roles }: HubUser, person: number): Promise<PersonRoster> {
			if (!may(roles, 'people', 'org')) throw new AppError('auth/forbidden');
			return read(person);
		},
		async sign({ roles, ...by }: HubUser, person: number, passkey: string, answer: string): Promise<PersonRoster> {
			if (!may(roles, 'people', 'org')) throw new AppError('auth/forbidden');
			const lines = await readRosterLines(query, person);
			const entry = lines.flatMap(({ wanted }) => wanted ?? []).find((one) => one.passkey.id === passkey);
			const given = entry && (await readRootAnswer(root, entryDigest(entry, root.origin), answer));
			const signed = JSON.stringify({ entry, root: given });
			const isSigned =
				given &&
				isAny(query`UPDATE passkeys SET entry = ${signed} WHERE cred_id = ${passkey}
				AND revoked_at IS NULL RETURNING cred_id`);
			if (!entry || !(await isSigned)) throw new AppError('passkey/refused');
			const payload = { by, passkey, places: entry.places };
			await journal.appendToAll({ kind: 'person:sign', subject: `person:${person}`, payload });
			return read(person);
		},
	};
}

export type RosterService = ReturnType<typeof createRosterService>;

const MAX_CHARACTERS = 120_000;

interface RosterLine {
	person: number;
	label: string;
	added: Date;
	/** Undefined for people who may decide nothing, or whose name machines would reject. */
	wanted: RosterEntry | undefined;
	/** Null if no root passkey has signed, or the person may decide less now. */
	signed: SignedEntry | null;
}

interface PasskeyRow {
	person: number;
	iss: string;
	sub: string;
	name: string;
	roles: RoleRow[];
	id: string;
	cose: string;
	label: string;
	added: Date;
	entry: string | null;
}

const readEntries = async (query: Query): Promise<SignedEntry[]> =>
	(await readRosterLines(query, null)).flatMap(({ signed }) => signed ?? []);

/** The oldest entries that fit, and the rest. */
export function fillRoster(
	team: string,
	all: readonly SignedEntry[],
): { entries: SignedEntry[]; leftOut: SignedEntry[] } {
	const here = all.filter(({ entry }) => entry.places.some((scope) => scope.team === undefined || scope.team === team));
	let room = MAX_CHARACTERS;
	const fitting = here.slice(0, MAX_ENTRIES).filter((one) => {
		room -= JSON.stringify(one).length;
		return room >= 0;
	});
	const entries = new Set(fitting);
	return { entries: fitting, leftOut: here.filter((one) => !entries.has(one)) };
}

/** Passkeys that do not fit into a team's roster, by team; almost always empty. */
export async function readLeftOut(query: Query): Promise<ReadonlyMap<string, readonly string[]>> {
	const [signed] = await query<{ count: number; bytes: number | null }>`SELECT count(*) AS count,
		sum(octet_length(entry)) AS bytes FROM passkeys WHERE entry IS NOT NULL AND revoked_at IS NULL`;
	if (!signed || (signed.count <= MAX_ENTRIES && (signed.bytes ?? 0) <= MAX_CHARACTERS)) return new Map();
	const all = await readEntries(query);
	const teams = await readTeams(query);
	const leftOut = teams.map(({ name }) => [name, fillRoster(name, all).leftOut] as const);
	return new Map(
		leftOut.filter(([, out]) => out.length > 0).map(([name, out]) => [name, out.map(({ entry }) => entry.passkey.id)]),
	);
}

export async function readRosterLines(query: Query, person: number | null): Promise<RosterLine[]> {
	const rows = await query<PasskeyRow>`SELECT p.id AS person, p.iss, p.sub, p.name, ${ROLES_OF_P}, k.cred_id AS id,
		k.cose, k.label, k.added_at AS added, k.entry FROM passkeys k JOIN people p ON p.id = k.person
		WHERE k.revoked_at IS NULL AND p.disabled_at IS NULL AND (${person}::int IS NULL AND k.entry IS NOT NULL
		OR p.id = ${person}) ORDER BY k.added_at, k.cred_id`;
	if (rows.length === 0) return [];
	const teams = await readTeams(query);
	return rows.map(({ iss, sub, name, roles, id, cose, entry, ...row }) => {
		const held = roles.map(roleOf);
		const places = scopesOf(held, teams);
		const signed = entry === null ? null : (SignedEntry.safeParse(JSON.parse(entry)).data ?? null);
		const holds = signed?.entry.places.every((scope) => mayDecide(held, scope, teams)) === true;
		const wanted = RosterEntry.safeParse({ v: 1, person: { iss, sub, name }, passkey: { id, cose }, places }).data;
		return { ...row, wanted, signed: holds ? signed : null };
	});
}

const isWhole = ({ wanted, signed }: RosterLine): boolean =>
	wanted !== undefined && signed !== null && canonicalJson(signed.entry.places) === canonicalJson(wanted.places);

/** Where somebody may decide, by team names: machines do not know the hub's numbers. */
function scopesOf(roles: readonly HubRole[], teams: readonly Team[]): RosterScope[] {
	const reach = scopeOf(roles, 'decide');
	if (reach.teams === 'all') return [{}];
	const nameOf = (team: number) => teams.find(({ id }) => id === team)?.name;
	return [...reach.teams.map((team) => ({ team })), ...(reach.projects ?? [])].flatMap(({ team, ...rest }) => {
		const name = nameOf(team);
		return name === undefined ? [] : [{ team: name, ...rest }];
	});
}

function mayDecide(roles: readonly HubRole[], { team, project }: RosterScope, teams: readonly Team[]): boolean {
	if (team === undefined) return may(roles, 'decide', 'org');
	const id = teams.find(({ name }) => name === team)?.id;
	return id !== undefined && may(roles, 'decide', { team: id, project });
}

/** The request that makes a browser sign this digest with one of these passkeys. */
export const askFor = (digest: string, rpId: string, passkeys: readonly { id: string }[]): PasskeyAsk => ({
	challenge: Buffer.from(digest, 'hex').toString('base64url'),
	rpId,
	allowCredentials: passkeys.map(({ id }) => ({ id, type: 'public-key' })),
	userVerification: 'required',
});

export const askRoot = (root: RootDocument, digest: string): PasskeyAsk | null =>
	root.v === 1 ? null : askFor(digest, root.rpId, root.rootPasskeys);

export async function readRootAnswer(
	root: RootDocument,
	digest: string,
	answer: string,
): Promise<RootSignature | undefined> {
	const { data: given } = RootSignature.safeParse(readPasskeyHeader(answer));
	return (await isByRootPasskey(given, digest, root)) ? given : undefined;
}

const RENEW_MS = ROSTER_MS / 2;
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
	query: Query,
	commands: Pick<CommandStore, 'append'>,
	{ root }: Pick<HubIdentity, 'root'>,
	edges: readonly number[],
	now: number,
): Promise<void> {
	if (root.v === 1 || edges.length === 0) return;
	const checking = await query<Checking>`SELECT e.id AS edge, e.team, t.name, s.version, s.until, c.result FROM edges e
		JOIN teams t ON t.id = e.team LEFT JOIN roster_sends s ON s.edge = e.id LEFT JOIN commands c ON c.edge = s.edge
		AND c.n = s.n WHERE e.id = ANY (${edges}) AND e.level = 'passkey' ORDER BY e.id`;
	if (checking.length === 0) return;
	const teams = new Map(checking.map(({ team, name }) => [team, name]));
	const all = await readEntries(query);
	const kept =
		await query<StoredRoster>`SELECT team, version, entries FROM rosters WHERE team = ANY (${[...teams.keys()]})`;
	for (const [team, name] of teams) {
		const wanted = JSON.stringify(fillRoster(name, all).entries);
		const stored = kept.find((one) => one.team === team && one.entries === wanted);
		const current = stored ?? (await storeRoster(query, team, wanted));
		const here = checking.filter((one) => one.team === team);
		const isBehind = here.some((one) => one.version === current.version && isAhead(one));
		const { version, entries } = isBehind ? await raise(query, current, now) : current;
		for (const { edge, version: sent, until } of here) {
			if (sent === version && until && until.getTime() - now > RENEW_MS) continue;
			const roster: Roster = { v: 1, team: name, version, until: now + ROSTER_MS, entries: JSON.parse(entries) };
			const n = await commands.append(edge, 'roster', roster);
			await query`INSERT INTO roster_sends AS s (edge, version, until, n) VALUES (${edge}, ${version},
				${new Date(roster.until)}, ${n}) ON CONFLICT (edge) DO UPDATE
				SET version = ${version}, until = ${new Date(roster.until)}, n = ${n}, held_until = ${HELD}`;
		}
	}
}

/** A new version whenever the content changes. */
async function storeRoster(query: Query, team: number, entries: string): Promise<StoredRoster> {
	await query`INSERT INTO rosters (team, version, entries) VALUES (${team}, 1, ${entries}) ON CONFLICT (team) DO UPDATE
		SET version = rosters.version + 1, entries = ${entries} WHERE rosters.entries <> ${entries}`;
	const [current] = await query<StoredRoster>`SELECT team, version, entries FROM rosters WHERE team = ${team}`;
	if (!current) throw new Error('A roster was neither made nor found.');
	return current;
}

/**
 * After a restored database the version continues at the minutes since 1970. Numbers reported by machines are not trusted: a
 * false one could use up all.
 */
async function raise(query: Query, current: StoredRoster, now: number): Promise<StoredRoster> {
	const minutes = Math.floor(now / MINUTE_MS);
	const [raised] = await query<StoredRoster>`UPDATE rosters SET version = ${minutes} WHERE team = ${current.team}
		AND version = ${current.version} AND version <= ${minutes - REST_MINUTES} RETURNING team, version, entries`;
	return raised ?? current;
}

export async function readRosterAge(query: Query, now: number): Promise<number | undefined> {
	const [found] = await query<{ until: Date | null }>`SELECT min(${HELD}) AS until FROM roster_sends s JOIN edges e
		ON e.id = s.edge WHERE e.level = 'passkey' AND ${CONNECTED}`;
	return found?.until ? Math.max(0, now - (found.until.getTime() - ROSTER_MS)) / 1000 : undefined;
}
