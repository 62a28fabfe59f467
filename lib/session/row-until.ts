import type { Row } from './row.ts';

/** The newest row before a `seq`. */
export type RowBefore = (before: number) => Promise<Row | undefined>;

/**
 * The `seq` of the newest row that had begun by an instant (ISO), 0 where none had: found by halving, since rows stand
 * in the order in which they began. `newest` is the last seq of the session.
 */
export async function seqUntil(rowBefore: RowBefore, newest: number, until: string): Promise<number> {
	let begun = 0;
	let later = newest + 1;
	while (later - begun > 1) {
		const middle = Math.floor((begun + later) / 2);
		const row = await rowBefore(middle + 1);
		if (row === undefined || row.at <= until) begun = middle;
		else later = Math.min(middle, row.seq);
	}
	return (await rowBefore(begun + 1))?.seq ?? 0;
}
