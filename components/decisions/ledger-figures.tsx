import type { LedgerFilter, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { Language } from '#lib/messages/language.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { CountLink } from '../ui/text-link.tsx';

interface BarStripProps {
	label: string;
	/** All days of the range, see `spreadDays`. */
	days: readonly DayBar[];
	/** Value of a bar of full height, at least 1. */
	most: number;
	tone: 'err' | 'wait' | 'run';
	className?: string;
}

const HEIGHT = 40;
const fills = { err: 'fill-err', wait: 'fill-wait', run: 'fill-run' } as const;

/** A bar chart of one figure per day, newest at the right; each bar has its day and value as text. */
export function BarStrip({ label, days, most, tone, className }: BarStripProps) {
	return (
		<svg
			role="img"
			aria-label={label}
			viewBox={`0 0 ${days.length * 4} ${HEIGHT}`}
			preserveAspectRatio="none"
			className={cn('w-full border-line border-b', className)}
		>
			{days.map((bar, at) => (
				<g key={bar.day}>
					<rect x={at * 4} y={0} width={4} height={HEIGHT} className="fill-transparent">
						<title>{`${bar.day}: ${bar.words}`}</title>
					</rect>
					<rect
						x={at * 4 + 0.5}
						y={HEIGHT - (bar.value / most) * HEIGHT}
						width={3}
						height={(bar.value / most) * HEIGHT}
						className={cn('pointer-events-none', fills[tone])}
					/>
				</g>
			))}
		</svg>
	);
}

export function stripWords(title: string, total: string, bars: readonly DayBar[], say: Say): string {
	const [first] = bars;
	if (!first || bars.every(({ value }) => value === 0)) return `${title}: ${total}`;
	const highest = bars.reduce((high, bar) => (bar.value > high.value ? bar : high), first);
	const { day, words } = highest;
	return say('{title}: {total} in all, most on {day}: {words}', { title, total, day, words });
}

interface LedgerCountProps {
	count: number;
	kind: NonNullable<LedgerFilter['kind']>;
	rule?: string;
	/** The counted parts of sessions, see `FeatureOutcome`. Without them the count is not a link. */
	spans?: readonly string[] | undefined;
}

/** For overrides, also show what happened afterwards. */
const NEXT: Partial<Record<LedgerCountProps['kind'], { followed: 'true' }>> = { overridden: { followed: 'true' } };

export function LedgerCount({ count, kind, rule, spans }: LedgerCountProps) {
	const say = useSay();
	const [name, value] = rule === undefined ? ['session', spans?.join(',')] : ['rule', rule];
	if (!value) return count;
	const href = `/decisions?${new URLSearchParams({ kind, [name]: value, ...NEXT[kind] })}`;
	return <CountLink count={count} href={href} label={say('{count}: show these decisions', { count })} />;
}

type Figures = Pick<LedgerSummary, 'denied' | 'overridden' | 'decideMs'>;

export const measures = ['denied', 'overridden', 'time'] as const;
export type Measure = (typeof measures)[number];

interface MeasureLook {
	title: Plain;
	/** Column header. */
	short: Plain;
	tone: 'err' | 'wait' | 'run';
	value: (figures: Figures) => number;
	words: (figures: Figures, language?: Language) => string;
}

/** Appearance of each measure. Times use the median, because one weekend would distort the mean. */
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
const MOST = 120;
/** With fewer days than this, bars would be too wide. */
const FEWEST = 14;

/**
 * One bar for every day from the first to the last of `span` (ascending), including days without data, so that distances
 * show time and charts with the same span align.
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
