import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createDurably, isBlank } from '#hooks-bridge/disk/write-durably.ts';

/**
 * A home's secret, created (0600) if missing or blank; of several processes one creates it, and all read it. `what` names it in
 * messages. Throws if something else is there.
 */
export function openSecretFile(secret: {
	home: string;
	name: string;
	what: string;
	/** Undefined if it is missing or invalid. */
	read: () => string | undefined;
	mint: () => string;
}): string {
	const { home, name, what, read, mint } = secret;
	const path = join(home, name);
	const known = read();
	if (known !== undefined) return known;
	if (statSync(path, { throwIfNoEntry: false }) && !isBlank(path)) {
		throw new Error(`${path} contains no ${what}: move it away, and a new one is created.`);
	}
	createDurably(path, `${mint()}\n`);
	const made = read();
	if (made === undefined)
		throw new Error(`The ${what} ${path} cannot be created: check the permissions of its folder.`);
	return made;
}
