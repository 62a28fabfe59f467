interface DayBar {
	/** `2026-11-22` */
	day: string;
	value: number;
	words: string;
}

const DAY_MS = 24 * 3_600_000;
/** With more days than these, bars would be thinner than a pixel. */
const MOST = 120;
/** A single day is a bar, not a wall. */
const FEWEST = 14;

/** Every day up to the last one, those without anything, too: the distance between bars is time. */
export function spreadDays(bars: readonly DayBar[]): DayBar[] {
	const known = new Map(bars.map((bar) => [bar.day, bar]));
	const last = Date.parse(bars.at(-1)?.day ?? '');
	const first = Date.parse(bars[0]?.day ?? '');
	if (Number.isNaN(first) || Number.isNaN(last)) return [];
	const count = Math.min(MOST, Math.max(FEWEST, (last - first) / DAY_MS + 1));
	return Array.from({ length: count }, (_, at) => {
		const day = new Date(last - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
		return known.get(day) ?? { day, value: 0, words: '0' };
	});
}
