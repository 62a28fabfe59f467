import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV = 12;
const TAG = 16;

/** Seals what a browser keeps for us and must not read or change; what one replica has sealed, every one opens. */
export interface Seal {
	close(value: unknown): string;
	/** Undefined for whatever this hub has not sealed for this use. */
	open(text: string): unknown;
}

/** `secret` is the hub's private key, from which each `use` has a key of its own. */
export function createSeal(secret: string, use: string): Seal {
	const key = Buffer.from(hkdfSync('sha256', secret, '', `signalbox ${use}`, 32));
	return {
		close(value) {
			const iv = randomBytes(IV);
			const cipher = createCipheriv('aes-256-gcm', key, iv);
			const body = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
			return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
		},
		open(text) {
			try {
				const bytes = Buffer.from(text, 'base64url');
				const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG });
				decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
				return JSON.parse(
					Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8'),
				);
			} catch {
				return undefined;
			}
		},
	};
}
