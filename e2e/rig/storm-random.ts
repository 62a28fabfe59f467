/** Numbers of one seed, the same each time. */
export interface SeededRandom {
	/** From 0 up to but not including `end`. */
	below(end: number): number;
	pick<T>(items: readonly [T, ...T[]]): T;
}

/** A small linear generator: good enough to spread work, and the same on every machine. */
export function seededRandom(seed: number): SeededRandom {
	let state = seed >>> 0;
	const below = (end: number): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * end);
	};
	return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
