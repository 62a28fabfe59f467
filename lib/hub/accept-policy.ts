import { tell } from '../messages/tell.ts';
import { looserIn, type PolicyBody, tightens } from '../settings/policy-settings.ts';
import { MOST_POLICY_DAYS, type Policy } from './signed-policy.ts';

const DAY_MS = 24 * 3_600_000;

/** The highest version that was taken of one key, and the digest of its content. */
export interface SeenPolicy {
	version: number;
	digest: string;
}

/** What an edge holds a policy against. */
export interface PolicyBasis {
	/** The edge's own team. */
	team: string;
	/** ms since 1970. */
	now: number;
	/** Whether the hub's key stands for exactly this policy. */
	byHub: boolean;
	/** Whether a root passkey does. */
	byRoot: boolean;
	/** SHA-256 of the policy in its canonical form. */
	digest: string;
	/** Of the key that signed; undefined where nothing was taken of it. */
	seen: SeenPolicy | undefined;
	/** The policy that holds now, whichever key it came by. */
	inForce: Pick<Policy, 'body' | 'expires'> | undefined;
}

/** Why an edge does not take a policy, in words for people; null where it does. Taking the same one again changes nothing. */
export function refusePolicy({ team, version, expires, body }: Policy, ground: PolicyBasis): string | null {
	const { now, seen, inForce, digest } = ground;
	if (!ground.byHub) return tell('the key of the hub does not stand for it');
	if (team !== ground.team) return tell('it is for the team {team}', { team });
	const end = Date.parse(expires);
	if (end <= now) return tell('it has expired');
	if (end > now + MOST_POLICY_DAYS * DAY_MS)
		return tell('it holds longer than {days} days', { days: MOST_POLICY_DAYS });
	if (seen && version < seen.version)
		return tell('version {version} is older than version {seen}, which was here', { version, seen: seen.version });
	if (seen && version === seen.version)
		return digest === seen.digest ? null : tell('version {version} was here with other content', { version });
	return ground.byRoot ? null : refuseWithoutRoot(body, expires, inForce);
}

/** Why a policy that follows the one in force needs a root passkey, in words; null where the hub's key is enough. */
export function refuseWithoutRoot(body: PolicyBody, expires: string, inForce: PolicyBasis['inForce']): string | null {
	const looser = new Set([...looserIn(body), ...(inForce ? looserIn(body, inForce.body) : [])]);
	if (looser.size > 0) return tell('only a root passkey may loosen {settings}', { settings: [...looser].join(', ') });
	if (inForce && !tightens({}, inForce.body) && Date.parse(expires) < Date.parse(inForce.expires))
		return tell('only a root passkey may end a policy earlier than {expires}', { expires: inForce.expires });
	return null;
}
