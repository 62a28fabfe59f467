import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frugalDigest } from '../disk/node-crypto.ts';

/** A fresh secret of each home, 64 hex digits: who answers a fail-closed hook must know it. */
export const DOOR_KEY = 'door.key';

/** The home's secret; undefined where there is none, or something else lies in its place. */
export function readDoorKey(home: string): string | undefined {
	try {
		const key = readFileSync(join(home, DOOR_KEY), 'utf8').trim();
		return /^[0-9a-f]{64}$/.test(key) ? key : undefined;
	} catch {
		return undefined;
	}
}

/** What only a program that knows the key can say of an answer to this run: hook.sh computes the same. */
export function doorProof(key: string, requestId: string, body: string): string {
	return frugalDigest(`${key}\n${requestId}\n${body}\n${key}`);
}

/** The proof that an answer bears, in its content type, where curl of any age can show it; empty without one. */
export function proofIn(contentType: string | undefined): string {
	return /; proof=(?<proof>[0-9a-f]{64})$/.exec(contentType ?? '')?.groups?.proof ?? '';
}
