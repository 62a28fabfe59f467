/** One bar: a day (`2026-11-22`), its height, and what it says. */
export interface DayBar {
	day: string;
	value: number;
	words: string;
}

const DAY_MS = 24 * 3_600_000;
/** With more days than these, bars would be thinner than a pixel. */
const MOST = 120;
/** A single day is a bar, not a wall. */
const FEWEST = 14;

/**
 * Every day from the first to the last of `span` (ascending), those without anything, too: the distance between bars is
 * time, and bars of one span stand below each other.
 */
export function spreadDays(bars: readonly DayBar[], span: readonly { day: string }[] = bars): DayBar[] {
	const known = new Map(bars.map((bar) => [bar.day, bar]));
	const last = Date.parse(span.at(-1)?.day ?? '');
	const first = Date.parse(span[0]?.day ?? '');
	if (Number.isNaN(first) || Number.isNaN(last)) return [];
	const count = Math.min(MOST, Math.max(FEWEST, (last - first) / DAY_MS + 1));
	return Array.from({ length: count }, (_, at) => {
		const day = new Date(last - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
		return known.get(day) ?? { day, value: 0, words: '0' };
	});
}
