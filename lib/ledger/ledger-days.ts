import type { LedgerSummary } from '../contract/archives/decisions.ts';
import type { Language } from '../messages/language.ts';
import type { Plain, Say } from '../messages/say.ts';
import { roundDuration } from '../time/duration.ts';

type Figures = Pick<LedgerSummary, 'denied' | 'overridden' | 'decideMs'>;

export const measures = ['denied', 'overridden', 'time'] as const;
export type Measure = (typeof measures)[number];

interface MeasureLook {
	title: Plain;
	/** What it counts. */
	help: Plain;
	/** Column header. */
	short: Plain;
	tone: 'err' | 'wait' | 'run';
	value: (figures: Figures) => number;
	words: (figures: Figures, language?: Language) => string;
}

/** Appearance of each measure. Times use the median, because one weekend would distort the mean. */
export const measureLooks: Record<Measure, MeasureLook> = {
	denied: {
		...{ title: 'Denied, did not run', help: 'by a rule, the reviewer or a person', short: 'Denied', tone: 'err' },
		value: ({ denied }) => denied,
		words: ({ denied }) => String(denied),
	},
	overridden: {
		...{ title: 'Overridden', help: 'denied by a rule, let run by a person', short: 'Overridden', tone: 'wait' },
		value: ({ overridden }) => overridden,
		words: ({ overridden }) => String(overridden),
	},
	time: {
		...{ title: 'Median time to decide', help: 'from the question to the answer', short: 'To decide', tone: 'run' },
		value: ({ decideMs }) => decideMs ?? 0,
		words: ({ decideMs }, language) => (decideMs === null ? '–' : roundDuration(decideMs, language)),
	},
};

/** One bar a day, without days that have no lines: `spreadDays` adds those. */
export function barsOf(days: LedgerSummary['days'], measure: Measure): DayBar[] {
	const { value, words } = measureLooks[measure];
	return days.map((figures) => ({ day: figures.day, value: value(figures), words: words(figures) }));
}

/** One bar: day (`2026-11-22`), height and label. */
export interface DayBar {
	day: string;
	value: number;
	words: string;
}

const DAY_MS = 24 * 3_600_000;
/** With more days than this, bars would be thinner than a pixel. */
const MAX_DAYS = 120;
/** With fewer days than this, bars would be too wide. */
const MIN_DAYS = 14;

/**
 * One bar for every day from the first to the last of `span` (ascending), including days without data, so that distances
 * show time and charts with the same span align.
 */
export function spreadDays(bars: readonly DayBar[], span: readonly { day: string }[] = bars): DayBar[] {
	const known = new Map(bars.map((bar) => [bar.day, bar]));
	const last = Date.parse(span.at(-1)?.day ?? '');
	const first = Date.parse(span[0]?.day ?? '');
	if (Number.isNaN(first) || Number.isNaN(last)) return [];
	const count = Math.min(MAX_DAYS, Math.max(MIN_DAYS, (last - first) / DAY_MS + 1));
	return Array.from({ length: count }, (_, index) => {
		const day = new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
		return known.get(day) ?? { day, value: 0, words: '0' };
	});
}

/** What a strip of days says to who cannot see it: the total, and the day with the most. */
export function stripWords(title: string, total: string, bars: readonly DayBar[], say: Say): string {
	const [first] = bars;
	if (!first || bars.every(({ value }) => value === 0)) return `${title}: ${total}`;
	const highest = bars.reduce((high, bar) => (bar.value > high.value ? bar : high), first);
	const { day, words } = highest;
	return say('{title}: {total} in all, most on {day}: {words}', { title, total, day, words });
}
