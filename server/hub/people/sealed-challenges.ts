import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '#hooks-bridge/engine/canonical-json.ts';
import type { Ask } from '../database/database.ts';
import type { Seal } from './seal.ts';

const LIFE_MS = 2 * 60_000;
const Sealed = z.object({ asker: z.string(), what: z.string(), until: z.number(), nonce: z.string() });

/**
 * Challenges for passkeys that any replica issues and any other takes, each once: a challenge is what it is for, sealed, so
 * that nothing is kept of one that nobody answers.
 */
export interface SealedChallenges {
	/** base64url. */
	issue(asker: string, what: unknown): string;
	/** Whether it was issued to this asker for exactly this, and is neither used nor too old. Uses it up. */
	redeem(challenge: string, asker: string, what: unknown): Promise<boolean>;
}

export function createSealedChallenges({
	ask,
	seal,
	now,
}: {
	ask: Ask;
	seal: Seal;
	now: () => number;
}): SealedChallenges {
	const digestOf = (what: unknown) => hash('sha256', canonicalJson(what));
	return {
		issue: (asker, what) =>
			seal.close({ asker, what: digestOf(what), until: now() + LIFE_MS, nonce: randomBytes(16).toString('base64url') }),
		async redeem(challenge, asker, what) {
			const issued = Sealed.safeParse(seal.open(challenge)).data;
			if (!issued || issued.until < now() || issued.asker !== asker || issued.what !== digestOf(what)) return false;
			await ask("DELETE FROM challenges WHERE until < now() - interval '10 minutes'");
			const used = await ask(
				`INSERT INTO challenges (hash, asker, nonce, until) VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000))
				ON CONFLICT DO NOTHING RETURNING hash`,
				[hash('sha256', challenge), asker, issued.nonce, issued.until],
			);
			return used.length > 0;
		},
	};
}
