import * as z from 'zod';
import { RootSignature } from '../contract/hub/hub-commands.ts';
import { Timestamp } from '../contract/ids.ts';
import { looserIn, type PolicyBody, readPolicyBody, tightens } from '../settings/policy-settings.ts';

const MAX_POLICY_DAYS = 366;

/** A stolen key that counted up to the maximum has to be replaced. */
export const PolicyVersion = z.int().min(1).max(2_147_483_647);

const Body = z.record(z.string(), z.unknown()).transform((given, context): PolicyBody => {
	const read = readPolicyBody(given);
	if ('body' in read) return read.body;
	context.addIssue({ code: 'custom', message: read.problem });
	return z.NEVER;
});

export const Policy = z.strictObject({
	v: z.literal(1),
	team: z.string().min(1).max(200),
	version: PolicyVersion,
	made: Timestamp,
	expires: Timestamp,
	body: Body,
});
export type Policy = z.infer<typeof Policy>;

export const SignedPolicy = z.strictObject({
	policy: Policy,
	signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
	root: RootSignature.optional(),
});
export type SignedPolicy = z.infer<typeof SignedPolicy>;

const DAY_MS = 24 * 3_600_000;

export interface SeenPolicy {
	version: number;
	digest: string;
}

export interface PolicyBasis {
	team: string;
	now: number;
	byHub: boolean;
	byRoot: boolean;
	digest: string;
	seen: SeenPolicy | undefined;
	inForce: Pick<Policy, 'body' | 'expires'> | undefined;
}

/** Why an edge refuses a policy, or null. The same policy again changes nothing. */
export function refusePolicy({ team, version, expires, body }: Policy, basis: PolicyBasis): string | null {
	const { now, seen, inForce, digest } = basis;
	if (!basis.byHub) return 'the key of the hub does not stand for it';
	if (team !== basis.team) return `it is for the team ${team}`;
	const end = Date.parse(expires);
	if (end <= now) return 'it has expired';
	if (end > now + MAX_POLICY_DAYS * DAY_MS) return `it holds longer than ${MAX_POLICY_DAYS} days`;
	if (seen && version < seen.version) return `version ${version} is older than version ${seen.version}, which was here`;
	if (seen && version === seen.version)
		return digest === seen.digest ? null : `version ${version} was here with other content`;
	return basis.byRoot ? null : refuseWithoutRoot(body, expires, inForce);
}

/** Why the hub's key is not enough for the policy that follows the one in force; null if it is. */
export function refuseWithoutRoot(body: PolicyBody, expires: string, inForce: PolicyBasis['inForce']): string | null {
	const looser = new Set([...looserIn(body), ...(inForce ? looserIn(body, inForce.body) : [])]);
	if (looser.size > 0) return `only a root passkey may loosen ${[...looser].join(', ')}`;
	if (inForce && !tightens({}, inForce.body) && Date.parse(expires) < Date.parse(inForce.expires))
		return `only a root passkey may end a policy earlier than ${inForce.expires}`;
	return null;
}
