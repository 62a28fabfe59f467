import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Role } from '#lib/contract/access/access.ts';
import type { HubRole } from '#lib/hub/may.ts';

/** Who sends a request, proven by a cookie session or a bearer token. */
export interface Principal {
	role: Role;
	via: 'browser' | 'token';
	/** SHA-256 of the cookie's or token's secret: the subject of its journal rows. */
	sessionHash: string;
	/** What the access list calls its sign-in, or the passkey that it proved this request by. */
	name?: string;
	/** The one call that this sign-in may decide although its role could not. */
	approval?: string;
	/** At a hub: which person it is, and what they are where. */
	hub?: { person: number; name: string; roles: readonly HubRole[] };
}

const ACCESS_ID_LENGTH = 16;

/** The entry of the access list, by the SHA-256 of its secret. */
export function accessIdOf(hash: string): string {
	return hash.slice(0, ACCESS_ID_LENGTH);
}

/** A request that has passed the gate carries its sender; upgrades too, for the websocket gateway. */
export type AuthenticatedRequest = IncomingMessage & { principal?: Principal };

/** The sender of a request, as the gate found it; undefined on open routes. */
export function principalOf(request: IncomingMessage): Principal | undefined {
	return (request as AuthenticatedRequest).principal;
}

/** A fresh 256-bit secret: 43 characters of `A-Za-z0-9_-`. */
export function mintSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: all that the journal ever holds of a secret. Safe without salt, since secrets are random. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** Compares without telling by its duration where two texts differ. */
export function isSameSecret(left: string, right: string): boolean {
	return timingSafeEqual(Buffer.from(digestOf(left)), Buffer.from(digestOf(right)));
}
