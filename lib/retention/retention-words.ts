import type { KeptBecause, RetentionPlan } from '../contract/archives/retention.ts';
import type { Plain } from '../messages/say.ts';

/** Why something stays although the policy names it. */
export const keptWords: Record<KeptBecause, Plain> = {
	labelled: 'it has a note with a label',
	unfinished: 'a session of it has not ended, or was written within the hour',
	'open-feature': 'its session works on a feature that is not archived yet',
	different: 'what lies in the home is not yet what the archive has',
	damaged: 'its archive is not as its manifest says',
	hub: 'this home has joined a hub, which may not have all of it',
	'hub-policy': 'the policy of the hub keeps it longer',
};

/** The numbers of a policy as written in `config.json`; empty if it removes nothing. */
export function policyWords({ sessionDays, archiveDays, archiveMegabytes }: RetentionPlan['policy']): string {
	const numbers = Object.entries({ sessionDays, archiveDays, archiveMegabytes });
	return numbers.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])).join(', ');
}

/** A size for people: in MB with one digit, small ones in kB. */
export function sizeWords(bytes: number): string {
	return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
