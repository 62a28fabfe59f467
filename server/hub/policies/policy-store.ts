import type { TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { refuseWithoutRoot } from '#lib/hub/accept-policy.ts';
import { type Policy, SignedPolicy } from '#lib/hub/signed-policy.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { PolicyBody } from '#lib/settings/policy-settings.ts';
import { policyDigest, signPolicy } from '../../edge/signed-document.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createHubJournal, type HubActor } from '../timelines/hub-journal.ts';
import { readRootAnswer } from './root-answer.ts';

const DAY_MS = 24 * 3_600_000;
/** How long a policy holds where nobody says for how long. */
const USUAL_DAYS = 30;

/** A version of a team's policy as the hub keeps it. */
export interface KeptVersion {
	signed: SignedPolicy;
	/** False while it waits for a root passkey. */
	ready: boolean;
	removed: boolean;
}

/** As it stands in the table. */
export interface VersionRow {
	body: string;
	sigs: string;
	ready: boolean;
	removed_at: Date | null;
}

/** What becomes of a wish for a new version. */
export interface AddedPolicy extends KeptVersion {
	/** Why the hub's key is not enough for it, in words; null where it is. */
	needsRoot: string | null;
	/** False: it needs a root passkey, and the hub has none, so that nobody could ever stand for it. */
	isKept: boolean;
}

/** The policies of a hub's teams. What is done to them has a row in the hub's journal before. */
export function createPolicyStore(ask: Ask, now: () => number) {
	const teamOf = async (team: string): Promise<number | undefined> =>
		(await ask<{ id: number }>('SELECT id FROM teams WHERE name = $1', [team]))[0]?.id;

	/** What machines of the team may hold now: the newest that they would take, removed or not. */
	async function inForce(team: number): Promise<Policy | undefined> {
		const [row] = await ask<VersionRow>(
			'SELECT * FROM policies WHERE team = $1 AND ready AND expires > $2 ORDER BY version DESC LIMIT 1',
			[team, new Date(now())],
		);
		return row && versionOf(row)?.signed.policy;
	}

	const tellJournal = (
		{ privateKey }: HubIdentity,
		team: number,
		kind: 'policy:set' | 'policy:sign' | 'policy:remove',
		payload: { by: HubActor; version?: number; digest?: string },
	) => createHubJournal(ask, privateKey, now).append(team, { kind, subject: `policy:${team}`, payload });

	return {
		/**
		 * Signs the next version of a team's policy. Without `days` it holds for 30, or as long as the one before. Undefined
		 * where there is no such team.
		 */
		async add(
			identity: HubIdentity,
			team: string,
			body: PolicyBody,
			{ days, version: given, by }: { days?: number; version?: number; by: HubActor },
		): Promise<AddedPolicy | undefined> {
			const { root, privateKey } = identity;
			const id = await teamOf(team);
			if (id === undefined) return;
			const before = await inForce(id);
			const [last] = await ask<{ version: number | null }>(
				'SELECT max(version) AS version FROM policies WHERE team = $1',
				[id],
			);
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
			await tellJournal(identity, id, 'policy:set', { by, version, digest: policyDigest(policy, root.origin) });
			await ask('INSERT INTO policies (team, version, body, sigs, expires, ready) VALUES ($1, $2, $3, $4, $5, $6)', [
				...[id, version, canonicalJson(policy), JSON.stringify({ signature: signed.signature })],
				...[expires, added.ready],
			]);
			return added;
		},
		/** From now on no machine is given a policy of the team; gives the one that those who have it keep. */
		async remove(identity: HubIdentity, team: string, by: HubActor): Promise<Policy | undefined> {
			const id = await teamOf(team);
			if (id === undefined) return;
			await tellJournal(identity, id, 'policy:remove', { by });
			await ask('UPDATE policies SET removed_at = now() WHERE team = $1 AND removed_at IS NULL', [id]);
			return inForce(id);
		},
		/** Adds a root passkey's answer; false where it does not stand for this version, or nothing waits for one. */
		async sign(
			identity: HubIdentity,
			{ team, version }: { team: number; version: number },
			answer: string,
			by: HubActor,
		): Promise<boolean> {
			const { root } = identity;
			const [row] = await ask<VersionRow>(
				'SELECT * FROM policies WHERE team = $1 AND version = $2 AND NOT ready AND removed_at IS NULL',
				[team, version],
			);
			const { policy, signature } = (row && versionOf(row)?.signed) ?? {};
			if (!policy) return false;
			const digest = policyDigest(policy, root.origin);
			const given = await readRootAnswer(root, digest, answer);
			if (!given) return false;
			await tellJournal(identity, team, 'policy:sign', { by, version, digest });
			await ask('UPDATE policies SET ready = true, sigs = $3 WHERE team = $1 AND version = $2', [
				...[team, version, JSON.stringify({ signature, root: given })],
			]);
			return true;
		},
		/** The newest versions of a team, the latest first. */
		async versions(team: number, most: number): Promise<KeptVersion[]> {
			const rows = await ask<VersionRow>('SELECT * FROM policies WHERE team = $1 ORDER BY version DESC LIMIT $2', [
				team,
				most,
			]);
			return rows.flatMap((row) => versionOf(row) ?? []);
		},
		teamOf,
	};
}

export type PolicyStore = ReturnType<typeof createPolicyStore>;

/** A version, as its row has it; undefined for one from before that no machine would take, such as of a team with an endless name. */
export function versionOf({ body, sigs, ready, removed_at }: VersionRow): KeptVersion | undefined {
	const { data: signed } = SignedPolicy.safeParse({ policy: JSON.parse(body), ...JSON.parse(sigs) });
	return signed && { signed, ready, removed: removed_at !== null };
}

/** What a machine made of the newest version of its team's policy that it was given. */
type PolicyStateOfEdge = TeamPolicy['machines'][number];

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
