import { AppError } from '#lib/contract/errors.ts';
import type { HubPolicyVersion, PolicyStatus, TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import { type HubRole, may, scopeOf } from '#lib/hub/may.ts';
import type { Principal } from '../../access/principal.ts';
import { policyDigest } from '../../edge/signatures.ts';
import type { HubCore } from '../timelines/hub-journal.ts';
import { createPolicyStore, type KeptVersion, readPolicyStates } from './policy-store.ts';
import { askRoot } from './root-answer.ts';

const MOST_VERSIONS = 5;
const NOT_SIGNED = 'That answer does not stand for this version, or the version no longer waits for one.';

export function createPolicyService({ ask, identity, now }: Pick<HubCore, 'ask' | 'identity' | 'now'>) {
	const { root } = identity;
	const store = createPolicyStore(ask, now);

	async function read(
		{ id, name: team }: { id: number; name: string },
		roles: readonly HubRole[],
	): Promise<TeamPolicy> {
		const [kept, machines] = await Promise.all([store.versions(id, MOST_VERSIONS), readPolicyStates(ask, id)]);
		const sent = kept.find((one) => standingOf(one) === 'holds');
		const maySign = may(roles, 'policies', { team: id });
		function standingOf({ ready, removed, signed }: KeptVersion): PolicyStatus {
			if (removed) return 'removed';
			if (Date.parse(signed.policy.expires) <= now()) return 'expired';
			return ready ? 'holds' : 'waits';
		}
		const versions = kept.map((one): HubPolicyVersion => {
			const { version, made, expires: until, body } = one.signed.policy;
			const status = standingOf(one);
			return {
				...{ version, made, until, byRoot: one.signed.root !== undefined },
				standing: status === 'holds' && one !== sent ? 'earlier' : status,
				says: Object.fromEntries(Object.entries(body).map(([path, value]) => [path, JSON.stringify(value)])),
				ask: status === 'waits' && maySign ? askRoot(root, policyDigest(one.signed.policy, root.origin)) : null,
			};
		});
		return { id, team, versions, machines };
	}

	const teamsOf = (teams: readonly number[] | null) =>
		ask<{ id: number; name: string }>`SELECT id, name FROM teams WHERE ${teams}::int[] IS NULL OR id = ANY (${teams})
			ORDER BY name LIMIT 200`;

	return {
		async list(roles: readonly HubRole[]): Promise<{ teams: TeamPolicy[] }> {
			const { teams } = scopeOf(roles, 'watch');
			const found = await teamsOf(teams === 'all' ? null : teams);
			return { teams: await Promise.all(found.map((team) => read(team, roles))) };
		},
		async sign(
			{ person, name, roles }: NonNullable<Principal['hub']>,
			signing: { team: number; version: number },
			answer: string,
		): Promise<TeamPolicy> {
			if (!may(roles, 'policies', { team: signing.team })) throw new AppError('auth/forbidden');
			const [team] = await teamsOf([signing.team]);
			const isSigned = team && (await store.sign(identity, signing, answer, { person, name }));
			if (!isSigned) throw new AppError('passkey/refused', NOT_SIGNED);
			return read(team, roles);
		},
	};
}

export type PolicyService = ReturnType<typeof createPolicyService>;
