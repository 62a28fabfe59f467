import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { Language } from '#lib/messages/language.ts';
import type { Plain } from '#lib/messages/say.ts';
import { roundDuration } from '#lib/time/duration.ts';
import type { DayBar } from './spread-days.ts';

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
