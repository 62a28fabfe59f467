import { hash } from 'node:crypto';
import type { DecisionCommand } from '#lib/contract/hub/hub-decision.ts';
import type { RosterEntry } from '#lib/contract/hub/hub-roster.ts';
import { canonicalJson } from '#lib/json/json.ts';

/** SHA-256, in hex, of what a root passkey is asked about: this entry of the hub at this address. */
export const entryDigest = (entry: RosterEntry, origin: string): string =>
	hash('sha256', `signalbox hub roster entry\n${origin}\n${canonicalJson(entry)}`);

/**
 * SHA-256, in hex, of what a person's passkey is asked about: all that they say of this call, by its own digest, and until
 * when it may be done.
 */
export function decisionDigest(
	{ digest, said, person: { iss, sub }, expires }: Pick<DecisionCommand, 'digest' | 'said' | 'person' | 'expires'>,
	origin: string,
): string {
	const what = { digest, said, person: { iss, sub }, expires };
	return hash('sha256', `signalbox hub decision\n${origin}\n${canonicalJson(what)}`);
}
