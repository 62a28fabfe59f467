import { AppError } from '#lib/contract/errors.ts';
import type { HubPolicyVersion, PolicyStatus, TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { type HubRole, may, scopeOf } from '#lib/hub/may.ts';
import { type Policy, refuseWithoutRoot, SignedPolicy } from '#lib/hub/policy.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { PolicyBody } from '#lib/settings/policy-settings.ts';
import { policyDigest, signPolicy } from '../../hub-protocol/signatures.ts';
import type { HubCore } from '../core/hub-core.ts';
import { createHubJournal, type HubActor } from '../core/hub-journal.ts';
import { literal, type Query } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../edges/command-store.ts';
import { findTeam, type HubUser, readTeams, type Team } from '../people/people-store.ts';
import { askRoot, readRootAnswer } from './roster-service.ts';

const MAX_TEAMS = 200;
const MAX_VERSIONS = 5;
const NOT_SIGNED = 'That answer does not stand for this version, or the version no longer waits for one.';

/** Policies as people read them, and sign them with a root passkey. */
export function createPolicyService({ query, identity, now }: Pick<HubCore, 'query' | 'identity' | 'now'>) {
	const { root } = identity;
	const store = createPolicyStore(query, now);

	async function read({ id, name: team }: Team, roles: readonly HubRole[]): Promise<TeamPolicy> {
		const [kept, machines] = await Promise.all([store.versions(id, MAX_VERSIONS), readPolicyStates(query, id)]);
		const sent = kept.find((one) => statusOf(one) === 'holds');
		const maySign = may(roles, 'policies', { team: id });
		function statusOf({ ready, removed, signed }: StoredVersion): PolicyStatus {
			if (removed) return 'removed';
			if (Date.parse(signed.policy.expires) <= now()) return 'expired';
			return ready ? 'holds' : 'waits';
		}
		const versions = kept.map((one): HubPolicyVersion => {
			const { version, made, expires: until, body } = one.signed.policy;
			const status = statusOf(one);
			return {
				version,
				made,
				until,
				byRoot: one.signed.root !== undefined,
				standing: status === 'holds' && one !== sent ? 'earlier' : status,
				says: Object.fromEntries(Object.entries(body).map(([path, value]) => [path, JSON.stringify(value)])),
				ask: status === 'waits' && maySign ? askRoot(root, policyDigest(one.signed.policy, root.origin)) : null,
			};
		});
		return { id, team, versions, machines };
	}

	return {
		async list(roles: readonly HubRole[]): Promise<{ teams: TeamPolicy[] }> {
			const { teams } = scopeOf(roles, 'watch');
			const found = await readTeams(query, teams === 'all' ? null : teams);
			return { teams: await Promise.all(found.slice(0, MAX_TEAMS).map((team) => read(team, roles))) };
		},
		async sign(
			{ roles, ...by }: HubUser,
			signing: { team: number; version: number },
			answer: string,
		): Promise<TeamPolicy> {
			if (!may(roles, 'policies', { team: signing.team })) throw new AppError('auth/forbidden');
			const [team] = await readTeams(query, [signing.team]);
			const isSigned = team && (await store.sign(identity, signing, answer, by));
			if (!isSigned) throw new AppError('passkey/refused', NOT_SIGNED);
			return read(team, roles);
		},
	};
}

export type PolicyService = ReturnType<typeof createPolicyService>;

const DAY_MS = 24 * 3_600_000;
const USUAL_DAYS = 30;

export interface StoredVersion {
	signed: SignedPolicy;
	ready: boolean;
	removed: boolean;
}

interface VersionRow {
	body: string;
	sigs: string;
	ready: boolean;
	removed_at: Date | null;
}

export interface AddedPolicy extends StoredVersion {
	needsRoot: string | null;
	isKept: boolean;
}

/** Versions of each team's policy with their signatures; only a ready one is sent. */
export function createPolicyStore(query: Query, now: () => number) {
	/** The newest version that machines would accept, removed or not. */
	async function inForce(team: number): Promise<Policy | undefined> {
		const [row] = await query<VersionRow>`SELECT * FROM policies WHERE team = ${team} AND ready
			AND expires > ${new Date(now())} ORDER BY version DESC LIMIT 1`;
		return row && versionOf(row)?.signed.policy;
	}

	const recordPolicy = (
		{ privateKey }: HubIdentity,
		team: number,
		kind: 'policy:set' | 'policy:sign' | 'policy:remove',
		payload: { by: HubActor; version?: number; digest?: string },
	) => createHubJournal(query, privateKey, now).append(team, { kind, subject: `policy:${team}`, payload });

	return {
		/** Without `days` it is valid for 30, or as long as the version before. */
		async add(
			identity: HubIdentity,
			team: string,
			body: PolicyBody,
			{ days, version: given, by }: { days?: number | undefined; version?: number | undefined; by: HubActor },
		): Promise<AddedPolicy | undefined> {
			const { root, privateKey } = identity;
			const id = await findTeam(query, team);
			if (id === undefined) return;
			const before = await inForce(id);
			const [last] = await query<{ version: number | null }>`SELECT max(version) AS version FROM policies
				WHERE team = ${id}`;
			const version = given ?? (last?.version ?? 0) + 1;
			const end = now() + (days ?? USUAL_DAYS) * DAY_MS;
			const until = days === undefined && before ? Math.max(end, Date.parse(before.expires)) : end;
			const expires = new Date(until).toISOString();
			const policy: Policy = { v: 1, team, version, made: new Date(now()).toISOString(), expires, body };
			const needsRoot = refuseWithoutRoot(body, expires, before);
			const signed = signPolicy(policy, root.origin, privateKey);
			const isKept = needsRoot === null || root.v === 2;
			const added = { signed, ready: needsRoot === null, removed: false, needsRoot, isKept };
			if (!isKept) return added;
			await recordPolicy(identity, id, 'policy:set', { by, version, digest: policyDigest(policy, root.origin) });
			await query`INSERT INTO policies (team, version, body, sigs, expires, ready)
				VALUES (${id}, ${version}, ${canonicalJson(policy)}, ${JSON.stringify({ signature: signed.signature })},
				${expires}, ${added.ready})`;
			return added;
		},
		async remove(identity: HubIdentity, team: string, by: HubActor): Promise<Policy | undefined> {
			const id = await findTeam(query, team);
			if (id === undefined) return;
			await recordPolicy(identity, id, 'policy:remove', { by });
			await query`UPDATE policies SET removed_at = now() WHERE team = ${id} AND removed_at IS NULL`;
			return inForce(id);
		},
		async sign(
			identity: HubIdentity,
			{ team, version }: { team: number; version: number },
			answer: string,
			by: HubActor,
		): Promise<boolean> {
			const { root } = identity;
			const [row] = await query<VersionRow>`SELECT * FROM policies WHERE team = ${team} AND version = ${version}
				AND NOT ready AND removed_at IS NULL`;
			const { policy, signature } = (row && versionOf(row)?.signed) ?? {};
			if (!policy) return false;
			const digest = policyDigest(policy, root.origin);
			const given = await readRootAnswer(root, digest, answer);
			if (!given) return false;
			await recordPolicy(identity, team, 'policy:sign', { by, version, digest });
			await query`UPDATE policies SET ready = true, sigs = ${JSON.stringify({ signature, root: given })}
				WHERE team = ${team} AND version = ${version}`;
			return true;
		},
		async versions(team: number, most: number): Promise<StoredVersion[]> {
			const rows = await query<VersionRow>`SELECT * FROM policies WHERE team = ${team} ORDER BY version DESC
				LIMIT ${most}`;
			return rows.flatMap((row) => versionOf(row) ?? []);
		},
		teamOf: (team: string) => findTeam(query, team),
	};
}

export type PolicyStore = ReturnType<typeof createPolicyStore>;

/** Undefined for a version that no machine would accept. */
function versionOf({ body, sigs, ready, removed_at }: VersionRow): StoredVersion | undefined {
	const { data: signed } = SignedPolicy.safeParse({ policy: JSON.parse(body), ...JSON.parse(sigs) });
	return signed && { signed, ready, removed: removed_at !== null };
}

type PolicyStateOfEdge = TeamPolicy['machines'][number];

const MAX_MACHINES = 500;

/** The newest version sent to each machine of a team, and how it answered. */
export async function readPolicyStates(query: Query, team: number): Promise<PolicyStateOfEdge[]> {
	const rows = await query<Omit<PolicyStateOfEdge, 'why'> & { result: string | null }>`
		SELECT e.id AS edge, e.name, s.version, c.state, c.result FROM edges e LEFT JOIN LATERAL (SELECT *
		FROM policy_sends WHERE edge = e.id ORDER BY version DESC LIMIT 1) s ON true LEFT JOIN commands c ON c.edge = e.id
		AND c.n = s.n WHERE e.team = ${team} AND e.status = 'joined' ORDER BY e.name, e.id LIMIT ${literal(MAX_MACHINES)}`;
	return rows.map(({ result, ...row }) => {
		const { why } = result === null ? {} : CommandResult.parse(JSON.parse(result));
		return { ...row, ...(why !== undefined && { why }) };
	});
}

const PAGE = 200;

/** Sends every version in order: what the hub's key may sign depends on the version before. Sending one twice is harmless. */
export async function sendPolicies(
	query: Query,
	commands: Pick<CommandStore, 'append'>,
	edges: readonly number[],
): Promise<void> {
	if (edges.length === 0) return;
	const due = await query<VersionRow & { edge: number; version: number }>`SELECT e.id AS edge, p.* FROM policies p
		JOIN edges e ON e.team = p.team WHERE p.ready AND p.removed_at IS NULL AND p.expires > now()
		AND e.id = ANY (${edges}) AND NOT EXISTS (SELECT 1 FROM policy_sends s WHERE s.edge = e.id
		AND s.version >= p.version) ORDER BY p.version, e.id LIMIT ${literal(PAGE)}`;
	for (const { edge, version, ...row } of due) {
		const kept = versionOf(row);
		if (!kept) continue;
		const n = await commands.append(edge, 'policy', kept.signed);
		await query`INSERT INTO policy_sends (edge, version, n) VALUES (${edge}, ${version}, ${n})
			ON CONFLICT (edge, version) DO UPDATE SET n = ${n}`;
	}
}
