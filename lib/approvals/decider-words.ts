import type { Decider } from '../contract/events/catalogue/approval.ts';
import { english, type Say } from '../messages/say.ts';

const SHOWN = 8;

/** As much of an access id as a person compares by eye. */
export function shortAccess(id: string): string {
	return id.slice(0, SHOWN);
}

/** What somebody decided by: `token 3fa2b1c0`, `Ann at the hub`; of rows that do not say which one, `token`. */
export function deciderWords({ via, access, name }: Decider, say: Say = english): string {
	if (via === 'hub') return say('{name} at the hub', { name: name ?? shortAccess(access ?? '') });
	return access === undefined ? say(via) : `${say(via)} ${shortAccess(access)}`;
}
