/** Whether an operator could answer: connected, just gone and perhaps only reloading a page, or nobody. */
export type Presence = 'here' | 'awaited' | 'nobody';

/** How long an operator whose connection broke off is awaited. */
const GRACE_MS = 10_000;

/** Remembers for a moment who left, so that the second in which a page reloads is not an empty room. */
export interface PresenceTracker {
	/** A connection of an operator's login ended by itself; a login is the hash that its principal carries. */
	left(sessionHash: string): void;
	/** Signed out or revoked: nobody of this login comes back. */
	forget(sessionHash: string): void;
	state(): Presence;
}

/** `steady` is a clock in ms that nobody sets. */
export function createPresence(options: { isConnected: () => boolean; steady: () => number }): PresenceTracker {
	const { isConnected, steady } = options;
	const leftAt = new Map<string, number>();
	return {
		left: (sessionHash) => void leftAt.set(sessionHash, steady()),
		forget: (sessionHash) => void leftAt.delete(sessionHash),
		state() {
			for (const [hash, at] of leftAt) if (steady() - at > GRACE_MS) leftAt.delete(hash);
			if (isConnected()) return 'here';
			return leftAt.size > 0 ? 'awaited' : 'nobody';
		},
	};
}
