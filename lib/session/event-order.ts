/** The later of two ISO instants; either may be missing. */
export const latest = (a: string | undefined, b: string | undefined) => (!a || (b && b > a) ? b : a);

/** The earlier of two ISO instants; either may be missing. */
export const earliest = (a: string | undefined, b: string | undefined) => (!a || (b && b < a) ? b : a);

/** A total order over events, so that which of two wins does not depend on their arrival. */
export const isLater = (a: { ts: string; id: string }, b: { ts: string; id: string }) =>
	a.ts > b.ts || (a.ts === b.ts && a.id > b.id);
