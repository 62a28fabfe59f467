/** Whether an operator could answer: connected, just gone and perhaps only reloading a page, or nobody. */
export type Presence = 'here' | 'awaited' | 'nobody';

const GRACE_MS = 10_000;

/** Remembers for a moment who left, since a page that reloads is back in a second. `monotonicNow` in ms. */
export function createPresence(options: { isConnected: () => boolean; monotonicNow: () => number }) {
	const { isConnected, monotonicNow } = options;
	const leftAt = new Map<string, number>();
	return {
		left: (sessionHash: string) => void leftAt.set(sessionHash, monotonicNow()),
		/** Signed out or revoked: this sign-in does not return. */
		forget: (sessionHash: string) => void leftAt.delete(sessionHash),
		state(): Presence {
			for (const [hash, at] of leftAt) if (monotonicNow() - at > GRACE_MS) leftAt.delete(hash);
			if (isConnected()) return 'here';
			return leftAt.size > 0 ? 'awaited' : 'nobody';
		},
	};
}
