import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '#lib/json/json.ts';
import type { Challenges } from '../../access/webauthn.ts';
import { isAny } from '../database/database.ts';
import type { HubCore } from '../timelines/hub-journal.ts';

const LIFE_MS = 2 * 60_000;
const Sealed = z.object({ asker: z.string(), what: z.string(), until: z.number(), nonce: z.string() });

/** Any replica issues and redeems a challenge, once: it is sealed, so that unanswered ones need no storage. */
export function createSealedChallenges({ ask, identity, now }: HubCore): Challenges {
	const seal = createSeal(identity.privateKey, 'challenge');
	const digestOf = (what: unknown) => hash('sha256', canonicalJson(what));
	return {
		issue: (asker, what) =>
			seal.close({ asker, what: digestOf(what), until: now() + LIFE_MS, nonce: randomBytes(16).toString('base64url') }),
		async redeem(challenge, asker, what) {
			const issued = Sealed.safeParse(seal.open(challenge)).data;
			if (!issued || issued.until < now() || issued.asker !== asker || issued.what !== digestOf(what)) return false;
			await ask`DELETE FROM challenges WHERE until < now() - interval '10 minutes'`;
			return isAny(ask`INSERT INTO challenges (hash, asker, nonce, until)
				VALUES (${hash('sha256', challenge)}, ${asker}, ${issued.nonce}, to_timestamp(${issued.until}::float8 / 1000))
				ON CONFLICT DO NOTHING RETURNING hash`);
		},
	};
}

const IV = 12;
const TAG = 16;

export interface Seal {
	close(value: unknown): string;
	open(text: string): unknown;
}

/** Each `use` has a key of its own, derived from the hub's private key. */
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
