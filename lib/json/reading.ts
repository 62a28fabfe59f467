/** How a value from outside is read: undefined if it is not what is wanted. */
export interface Reading<T> {
	wants: string;
	read: (value: unknown) => T | undefined;
}

export const flag: Reading<boolean> = {
	wants: 'true or false',
	read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** One of these words. */
export function either<T extends string>(...words: readonly T[]): Reading<T> {
	const quoted = words.map((word) => `"${word}"`);
	return {
		wants: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
		read: (value) => words.find((word) => word === value),
	};
}

/** A count, size or length of time, fractions included; NaN and infinity are refused. */
export function amount(most = Number.POSITIVE_INFINITY): Reading<number> {
	const fits = (value: number): boolean => Number.isFinite(value) && value >= 0 && value <= most;
	return {
		wants: Number.isFinite(most) ? `a number from 0 to ${most}` : 'a number from 0 up',
		read: (value) => (typeof value === 'number' && fits(value) ? value : undefined),
	};
}
