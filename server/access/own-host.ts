import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { openSecretFile } from '../process/secret-file.ts';

/** The end of every home's own host name; passkeys are bound to it, so that they work under all of them. */
export const BASE_HOST = 'signalbox.localhost';

const HOST_LABEL = 'host-label';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 20;

function readLabel(home: string): string | undefined {
	return tryTo(() => /^[a-z2-7]{20}$/.exec(readFileSync(join(home, HOST_LABEL), 'utf8').trim())?.[0]);
}

/** The one host name whose cookie counts (docs/decisions/0015), created if needed: cookies know no port. */
export function openOwnHost(home: string): string {
	const label = openSecretFile({
		home,
		name: HOST_LABEL,
		what: 'label of its address',
		read: () => readLabel(home),
		mint: () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
	});
	return `${label}.${BASE_HOST}`;
}

/** The own host name if there is one, else the common name; creates nothing. */
export function findOwnHost(home: string): string {
	const label = readLabel(home);
	return label === undefined ? BASE_HOST : `${label}.${BASE_HOST}`;
}
