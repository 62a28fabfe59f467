import { addressPart } from '../text/printable.ts';
import { readHubName } from './session-name.ts';

/** As in the contract, which pages do not load. */
const HUB_FEATURE = /^\d{1,9}\/[0-9a-f]{12}-[a-z0-9][a-z0-9_-]{0,130}$/;

/** A session's or feature's name in an address: one part of the path, on a hub two. Ids are the agent's text. */
export function sessionPath(name: string): string {
	return readHubName(name) || HUB_FEATURE.test(name) ? name : addressPart(name);
}
