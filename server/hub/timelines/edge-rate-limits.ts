import { LruMap } from '../../process/lru-map.ts';

const RATE = { perSecond: 500, burst: 20_000 };
const MAX_EDGES = 100_000;

export function createEdgeRateLimits(now: () => number) {
	const limits = new LruMap<number, { tokens: number; at: number }>(MAX_EDGES);
	return {
		/** Milliseconds for which the edge must pause; null if it ignored that until it owed a whole burst. */
		spend(edge: number, cost: number): number | null {
			const at = now();
			const before = limits.get(edge) ?? { tokens: RATE.burst, at };
			const tokens = Math.min(RATE.burst, before.tokens + ((at - before.at) / 1000) * RATE.perSecond) - cost;
			if (tokens < -RATE.burst) return null;
			limits.set(edge, { tokens, at });
			return tokens < 0 ? Math.ceil((-tokens / RATE.perSecond) * 1000) : 0;
		},
	};
}

export type EdgeRateLimits = ReturnType<typeof createEdgeRateLimits>;
