import { LruMap } from '../../process/lru-map.ts';

/** Events a second, and how many may come at once; whoever owes as much as that does not listen. */
const PACE = { perSecond: 500, burst: 20_000 };
const MOST_EDGES = 100_000;

/** How much of a replica edges have taken, over all their connections. `now` is in ms. */
export function createEdgeRateLimits(now: () => number) {
	const paces = new LruMap<number, { tokens: number; at: number }>(MOST_EDGES);
	return {
		/**
		 * Takes what so many events cost. Gives the ms for which the edge is to send nothing, or null where it was told so and
		 * went on until it owed a whole burst.
		 */
		spend(edge: number, cost: number): number | null {
			const at = now();
			const before = paces.get(edge) ?? { tokens: PACE.burst, at };
			const tokens = Math.min(PACE.burst, before.tokens + ((at - before.at) / 1000) * PACE.perSecond) - cost;
			if (tokens < -PACE.burst) return null;
			paces.set(edge, { tokens, at });
			return tokens < 0 ? Math.ceil((-tokens / PACE.perSecond) * 1000) : 0;
		},
	};
}

export type EdgeRateLimits = ReturnType<typeof createEdgeRateLimits>;
