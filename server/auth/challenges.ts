import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '#hooks-bridge/canonical-json.ts';

/** One-time challenges, each for one exact request of one sign-in. */
export interface Challenges {
	/** base64url of SHA-256 over the request and a fresh nonce. */
	issue(sessionHash: string, what: unknown): string;
	/** Whether the challenge was issued to this sign-in for exactly this, and was neither used nor too old. Uses it up. */
	redeem(challenge: string, sessionHash: string, what: unknown): boolean;
}

const LIFE_MS = 2 * 60_000;
const MOST = 1000;
/** Of one sign-in or link: who asks without end must not use up what others were given. */
const MOST_EACH = 20;

/** `now` in milliseconds since the epoch. */
export function createChallenges(now: () => number): Challenges {
	const open = new Map<string, { nonce: string; sessionHash: string; until: number }>();

	const challengeOf = (nonce: string, sessionHash: string, what: unknown): string =>
		createHash('sha256').update(canonicalJson({ nonce, sessionHash, what })).digest('base64url');

	return {
		issue(sessionHash, what) {
			const nonce = randomBytes(32).toString('base64url');
			const challenge = challengeOf(nonce, sessionHash, what);
			const mine = [...open].filter(([, one]) => one.sessionHash === sessionHash);
			if (mine.length >= MOST_EACH) for (const [oldest] of mine.slice(0, 1)) open.delete(oldest);
			open.set(challenge, { nonce, sessionHash, until: now() + LIFE_MS });
			if (open.size > MOST) for (const oldest of open.keys()) if (open.delete(oldest)) break;
			return challenge;
		},
		redeem(challenge, sessionHash, what) {
			const found = open.get(challenge);
			open.delete(challenge);
			if (!found || found.until < now() || found.sessionHash !== sessionHash) return false;
			return challengeOf(found.nonce, sessionHash, what) === challenge;
		},
	};
}
