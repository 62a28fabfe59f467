import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '#lib/json/json.ts';

const LIFE_MS = 2 * 60_000;
const MOST = 1000;
/** Of one sign-in or link: who asks without end must not use up what others were given. */
const MOST_EACH = 20;

/** Challenges in the memory of this process: base64url of SHA-256 over the request and a fresh nonce. `now` in milliseconds since the epoch. */
export function createChallenges(now: () => number) {
	const open = new Map<string, { nonce: string; sessionHash: string; until: number }>();

	const challengeOf = (nonce: string, sessionHash: string, what: unknown): string =>
		createHash('sha256').update(canonicalJson({ nonce, sessionHash, what })).digest('base64url');

	return {
		issue(sessionHash: string, what: unknown): string {
			const nonce = randomBytes(32).toString('base64url');
			const challenge = challengeOf(nonce, sessionHash, what);
			const mine = [...open].filter(([, one]) => one.sessionHash === sessionHash);
			const [oldestOfMine] = mine;
			if (oldestOfMine && mine.length >= MOST_EACH) open.delete(oldestOfMine[0]);
			open.set(challenge, { nonce, sessionHash, until: now() + LIFE_MS });
			const [oldest] = open.keys();
			if (oldest !== undefined && open.size > MOST) open.delete(oldest);
			return challenge;
		},
		/** Whether the challenge was issued to this sign-in for exactly this, and was neither used nor too old. Uses it up. */
		redeem(challenge: string, sessionHash: string, what: unknown): boolean {
			const issued = open.get(challenge);
			open.delete(challenge);
			if (!issued || issued.until < now() || issued.sessionHash !== sessionHash) return false;
			return challengeOf(issued.nonce, sessionHash, what) === challenge;
		},
	};
}
