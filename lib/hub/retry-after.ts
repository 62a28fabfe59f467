/** Nobody is told to wait longer (s). */
const MOST_SECONDS = 60;

/** The words with which a hub sends machines away that are too many at once: each comes again within so many seconds. */
export const sayRetryAfter = (seconds: number): string =>
	`more machines come at once than it takes: retry after ${seconds} s`;

/** The seconds within which a machine is to come again, from the words of the end; undefined where they say none. */
export function readRetryAfter(words: string): number | undefined {
	const [, seconds] = /retry after (\d{1,4}) s$/.exec(words) ?? [];
	return seconds === undefined ? undefined : Math.min(MOST_SECONDS, Math.max(1, Number(seconds)));
}
