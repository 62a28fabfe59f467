import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOME_SESSION, isSafeId } from '#lib/ids/safe-id.ts';

/** The ids of the sessions that have a folder in a home, unordered; none if the home cannot be read. Never throws. */
export function listSessions(home: string): string[] {
	try {
		return readdirSync(join(home, 'sessions')).filter((name) => isSafeId(name) && name !== HOME_SESSION);
	} catch {
		return [];
	}
}
