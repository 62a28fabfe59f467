import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frugalDigest } from '../disk/frugal-digest.ts';
import { tryTo } from '../disk/try-to.ts';

/** A random secret of each home, 64 hex digits: the server proves with it that an answer to a fail-closed hook is its own. */
export const DOOR_KEY = 'door.key';

/** The home's secret; undefined if it is missing or something else is at its path. */
export function readDoorKey(home: string): string | undefined {
	return tryTo(() => /^[0-9a-f]{64}$/.exec(readFileSync(join(home, DOOR_KEY), 'utf8').trim())?.[0]);
}

/** Proof that only a program with the key can give for an answer to this run; hook.sh computes the same. */
export function doorProof(key: string, requestId: string, body: string, digest = frugalDigest): string {
	return digest(`${key}\n${requestId}\n${body}\n${key}`);
}

/** The proof in an answer's content type, which curl of any version can print; empty without one. */
export function proofIn(contentType: string | undefined): string {
	return /; proof=(?<proof>[0-9a-f]{64})$/.exec(contentType ?? '')?.groups?.proof ?? '';
}
