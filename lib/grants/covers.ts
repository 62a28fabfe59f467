import type { GrantRecord } from '../contract/approvals/grants.ts';
import type { Denial, GrantCover, GrantScope } from '../contract/events/catalogue/approval.ts';

/** A denied call as far as grants look at it. */
export interface DeniedCall {
	sessionId: string;
	denials: readonly Pick<Denial, 'gate' | 'rule' | 'fingerprint'>[];
}

/** A denial as far as it is known again: the very one that a person has seen and overridden. */
export type Overridden = Readonly<Pick<Denial, 'gate' | 'rule' | 'fingerprint'> & Partial<Pick<Denial, 'reason'>>>;

/**
 * Whether two denials are one: of one gate by one rule, for the same fingerprint. Where the gate cannot tell one, for the
 * same reason.
 */
export function isSameDenial(one: Overridden, other: Overridden): boolean {
	if (one.gate !== other.gate || one.rule !== other.rule) return false;
	if (one.fingerprint !== undefined || other.fingerprint !== undefined) return one.fingerprint === other.fingerprint;
	return one.reason === other.reason;
}

/** Whether a grant can override each of these denials: no gate says of its own that none can. */
export function mayBeGranted(denials: readonly { noGrant?: true }[]): boolean {
	return denials.length > 0 && denials.every(({ noGrant }) => noGrant === undefined);
}

/** What a grant for a denied call must override; null when a later call could not be known as the same. */
export function coversOf(denials: readonly Denial[]): GrantCover[] | null {
	const covers = new Map<string, GrantCover>();
	for (const { gate, rule, fingerprint, words } of denials) {
		if (fingerprint === undefined || words === undefined) return null;
		covers.set(`${gate} ${rule} ${fingerprint}`, { gate, rule, fingerprint, words });
	}
	return covers.size === 0 ? null : [...covers.values()];
}

/** Whether a grant overrides every denial of a call. One that it does not cover keeps all of them standing. */
export function isCovered(
	grant: { scope: GrantScope; sessionId: string; covers: readonly GrantCover[] },
	{ sessionId, denials }: DeniedCall,
): boolean {
	if (grant.scope !== 'project' && grant.sessionId !== sessionId) return false;
	return (
		denials.length > 0 &&
		denials.every(({ gate, rule, fingerprint }) =>
			grant.covers.some((cover) => cover.gate === gate && cover.rule === rule && cover.fingerprint === fingerprint),
		)
	);
}

const order: Record<GrantScope, number> = { session: 0, project: 1, once: 2 };

/** The grants that cover a call, the one to be used first: what may be used again before what is used up by it. */
export function grantsFor(grants: Iterable<GrantRecord>, call: DeniedCall): GrantRecord[] {
	return [...grants]
		.filter((grant) => isCovered(grant, call))
		.sort((a, b) => order[a.scope] - order[b.scope] || (a.expires < b.expires ? -1 : 1));
}
