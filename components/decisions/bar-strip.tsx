import type { Say } from '#lib/messages/say.ts';
import { cn } from '../ui/cn.ts';
import type { DayBar } from './measures.ts';

interface BarStripProps {
	/** What it shows, in a sentence. */
	label: string;
	/** Every day, see `spreadDays`. */
	days: readonly DayBar[];
	/** The value of a bar of full height, at least 1. */
	most: number;
	tone: 'err' | 'wait' | 'run';
	className?: string;
}

const HEIGHT = 40;
const fills = { err: 'fill-err', wait: 'fill-wait', run: 'fill-run' } as const;

/** One figure day by day, the newest on the right; each bar tells its day and value. */
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

/** What a strip says to whoever does not see it. */
export function stripWords(title: string, total: string, bars: readonly DayBar[], say: Say): string {
	const [first] = bars;
	if (!first || bars.every(({ value }) => value === 0)) return `${title}: ${total}`;
	const highest = bars.reduce((high, bar) => (bar.value > high.value ? bar : high), first);
	return say('{title}: {total} in all, most on {day}: {words}', {
		title,
		total,
		day: highest.day,
		words: highest.words,
	});
}
