import { hash } from 'node:crypto';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import { accessIdOf } from '../access/principal.ts';

/** How the journal knows a passkey of somebody at the hub. */
export const markOf = (passkey: string): string => accessIdOf(hash('sha256', passkey));

/** Who says something at the hub, as the machine's journal names them: a command of theirs, and how far the hub was believed. */
export function deciderAt(
	origin: string,
	{ iss, sub, name }: HubDecider,
	proof: { level: 'hub' } | { level: 'passkey'; passkey: string },
	command: number,
): Decider {
	const access = accessIdOf(hash('sha256', JSON.stringify([origin, iss, sub])));
	const { level } = proof;
	const hub = { origin, iss, sub, level, command, ...('passkey' in proof && { passkey: markOf(proof.passkey) }) };
	return { role: 'operator', via: 'hub', access, name, hub };
}
