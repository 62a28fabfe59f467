import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Role } from '#lib/contract/access/access.ts';
import type { HubRole } from '#lib/hub/may.ts';

export interface Principal {
	role: Role;
	via: 'browser' | 'token';
	/** SHA-256 of the secret: the subject of its journal rows. */
	sessionHash: string;
	name?: string;
	approval?: string;
	hub?: { person: number; name: string; roles: readonly HubRole[] };
}

const ACCESS_ID_LENGTH = 16;

/** The id that people see and revoke: enough of the hash to tell entries apart, too little to be a secret. */
export function accessIdOf(hash: string): string {
	return hash.slice(0, ACCESS_ID_LENGTH);
}

export type AuthenticatedRequest = IncomingMessage & { principal?: Principal };

/** The sender, as the gate found it; undefined on open routes. */
export function principalOf(request: IncomingMessage): Principal | undefined {
	return (request as AuthenticatedRequest).principal;
}

/** 256 random bits, base64url. */
export function mintSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: all that the journal ever holds of a secret. Safe without salt, since secrets are random. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** Takes the same time wherever the texts differ. */
export function isSameSecret(left: string, right: string): boolean {
	return timingSafeEqual(Buffer.from(digestOf(left)), Buffer.from(digestOf(right)));
}
