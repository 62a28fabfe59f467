/** Hellos that a replica takes in any second: each asks the database several times (HUB 4). */
const HELLOS_A_SECOND = 100;
const SECOND_MS = 1000;
/** Who is sent away comes again between one second and this many. */
const WAIT_SECONDS = { least: 2, most: 60 };

/**
 * Lets so many machines in as a replica greets without keeping those waiting that it has. Each call is a signed hello: gives
 * undefined where it is taken, else the seconds within which it is to come again. `now` is in ms.
 */
export function createAdmission(now: () => number): () => number | undefined {
	/** When each of the last ones was taken, the oldest at `next`. */
	const taken = new Array<number>(HELLOS_A_SECOND).fill(Number.NEGATIVE_INFINITY);
	let next = 0;
	/** Sent away, and not come again as far as can be known. */
	let owed = 0;
	let at = now();
	return () => {
		const before = at;
		at = now();
		// A clock that was set back must keep nobody out.
		if (at < before) taken.fill(Number.NEGATIVE_INFINITY);
		owed = Math.max(0, owed - (Math.max(0, at - before) / SECOND_MS) * HELLOS_A_SECOND);
		if (at - (taken[next] ?? 0) >= SECOND_MS) {
			taken[next] = at;
			next = (next + 1) % HELLOS_A_SECOND;
			return;
		}
		owed += 1;
		// Over twice the time that they take: then half of the room is left for others.
		const seconds = Math.ceil((2 * owed) / HELLOS_A_SECOND);
		return Math.min(WAIT_SECONDS.most, Math.max(WAIT_SECONDS.least, seconds));
	};
}
