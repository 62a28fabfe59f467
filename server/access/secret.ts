import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

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
