import { addressPart } from '../text/well-formed.ts';
import { readHubName } from './session-name.ts';

/** A session's name as it stands in an address: one part of its path, on a hub two. Ids are the agent's text. */
export function sessionPath(name: string): string {
	return readHubName(name) ? name : addressPart(name);
}
