import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { Language } from '#lib/messages/language.ts';
import type { Plain } from '#lib/messages/say.ts';
import { roundDuration } from '#lib/time/duration.ts';

type Figures = Pick<LedgerSummary, 'denied' | 'overridden' | 'decideMs'>;

/** What of decisions is counted day by day. */
export const measures = ['denied', 'overridden', 'time'] as const;
export type Measure = (typeof measures)[number];

interface MeasureLook {
	title: Plain;
	/** In the head of a column. */
	short: Plain;
	tone: 'err' | 'wait' | 'run';
	value: (figures: Figures) => number;
	words: (figures: Figures, language?: Language) => string;
}

/** How each reads; the middle time says more than the mean, which one weekend would carry away. */
export const measureLooks: Record<Measure, MeasureLook> = {
	denied: {
		...{ title: 'Denied, did not run', short: 'Denied', tone: 'err' },
		value: ({ denied }) => denied,
		words: ({ denied }) => String(denied),
	},
	overridden: {
		...{ title: 'Overridden', short: 'Overridden', tone: 'wait' },
		value: ({ overridden }) => overridden,
		words: ({ overridden }) => String(overridden),
	},
	time: {
		...{ title: 'Median time to decide', short: 'To decide', tone: 'run' },
		value: ({ decideMs }) => decideMs ?? 0,
		words: ({ decideMs }, language) => (decideMs === null ? '–' : roundDuration(decideMs, language)),
	},
};

/** A measure of each day as a bar. */
export function barsOf(days: LedgerSummary['days'], measure: Measure): DayBar[] {
	const { value, words } = measureLooks[measure];
	return days.map((figures) => ({ day: figures.day, value: value(figures), words: words(figures) }));
}

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
