import type { GrantReach } from '../contract/approvals/grant-reach.ts';
import type { GrantRecord } from '../contract/approvals/grants.ts';
import type { Denial, GrantCover, GrantScope } from '../contract/events/catalogue/approval.ts';
import type { Plain } from '../messages/say.ts';

interface DeniedCall {
	sessionId: string;
	denials: readonly Pick<Denial, 'gate' | 'rule' | 'fingerprint'>[];
}

export type Overridden = Readonly<Pick<Denial, 'gate' | 'rule' | 'fingerprint'> & Partial<Pick<Denial, 'reason'>>>;

/** Same gate, rule and fingerprint; without fingerprint the same reason. */
export function isSameDenial(one: Overridden, other: Overridden): boolean {
	if (one.gate !== other.gate || one.rule !== other.rule) return false;
	if (one.fingerprint !== undefined || other.fingerprint !== undefined) return one.fingerprint === other.fingerprint;
	return one.reason === other.reason;
}

/** Every gate that denied must be able to recognise the question again. */
export function mayBeGranted(denials: readonly { noGrant?: true }[]): boolean {
	return denials.length > 0 && denials.every(({ noGrant }) => noGrant === undefined);
}

/** Null if a gate cannot recognise a denied question again. */
export function coversOf(denials: readonly Denial[]): GrantCover[] | null {
	const covers = new Map<string, GrantCover>();
	for (const { gate, rule, fingerprint, words } of denials) {
		if (fingerprint === undefined || words === undefined) return null;
		covers.set(`${gate} ${rule} ${fingerprint}`, { gate, rule, fingerprint, words });
	}
	return covers.size === 0 ? null : [...covers.values()];
}

/** One uncovered denial keeps all of them in force. */
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

/** Reusable grants first. */
export function grantsFor(grants: Iterable<GrantRecord>, call: DeniedCall): GrantRecord[] {
	return [...grants]
		.filter((grant) => isCovered(grant, call))
		.sort((a, b) => order[a.scope] - order[b.scope] || (a.expires < b.expires ? -1 : 1));
}

interface GrantRequest {
	id: string;
	denials: readonly Pick<Denial, 'rule' | 'fingerprint'>[];
}

/** Of two different requests, by the fingerprints of all their denials. */
export function isSameQuestion(one: GrantRequest, other: GrantRequest): boolean {
	const fingerprints = fingerprintsOf(one);
	return fingerprints !== null && one.id !== other.id && fingerprints === fingerprintsOf(other);
}

/** Null if a gate cannot recognise the question. */
export function fingerprintsOf({ denials }: Pick<GrantRequest, 'denials'>): string | null {
	const fingerprints = denials.map(({ rule, fingerprint }) => fingerprint && `${rule} ${fingerprint}`);
	return fingerprints.length > 0 && fingerprints.every(Boolean) ? fingerprints.sort().join('\n') : null;
}

const within: Record<GrantReach, readonly GrantScope[]> = {
	never: [],
	session: ['once', 'session'],
	project: ['once', 'session', 'project'],
};

/** What may be allowed from the hub, given the machine's reach. */
export const scopesWithin = (reach: GrantReach): readonly GrantScope[] => within[reach];

export const scopeWords = {
	once: 'the next try',
	session: 'this session',
	project: 'this project',
} as const satisfies Record<GrantScope, Plain>;
