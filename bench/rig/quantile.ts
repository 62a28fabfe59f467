/** The value below which the part `q` (0..1) of the values lies; the nearest one there is. NaN for none. */
export function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** The middle value. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
