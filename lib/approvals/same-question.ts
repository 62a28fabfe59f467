import type { Denial } from '../contract/events/catalogue/approval.ts';

interface Asked {
	id: string;
	denials: readonly Pick<Denial, 'rule' | 'fingerprint'>[];
}

/** Whether two approvals ask the same question: of the same gates, with the same fingerprints. Not one of itself. */
export function isSameQuestion(one: Asked, other: Asked): boolean {
	const prints = printsOf(one);
	return prints !== null && one.id !== other.id && prints === printsOf(other);
}

/** What all these denials are about, as one text; null where one cannot be known again. */
export function printsOf({ denials }: Pick<Asked, 'denials'>): string | null {
	const prints = denials.map(({ rule, fingerprint }) => fingerprint && `${rule} ${fingerprint}`);
	return prints.length > 0 && prints.every(Boolean) ? prints.sort().join('\n') : null;
}
