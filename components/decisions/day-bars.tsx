import { spreadDays } from './spread-days.ts';

interface DayBarsProps {
	title: string;
	/** What all days come to. */
	total: string;
	tone: 'err' | 'wait' | 'run';
	bars: readonly { day: string; value: number; words: string }[];
}

const HEIGHT = 40;
const fills = { err: 'fill-err', wait: 'fill-wait', run: 'fill-run' } as const;

/** One figure day by day, the newest on the right; each bar tells its day and value. */
export function DayBars({ title, total, tone, bars }: DayBarsProps) {
	const days = spreadDays(bars);
	const most = Math.max(1, ...bars.map(({ value }) => value));
	const isEmpty = bars.every(({ value }) => value === 0);
	const highest = bars.reduce((high, bar) => (bar.value > high.value ? bar : high), bars[0] ?? NONE);
	const words = isEmpty ? `${title}: ${total}` : `${title}: ${total} in all, most on ${highest.day}: ${highest.words}`;
	return (
		<figure className={isEmpty ? 'max-sm:hidden' : undefined}>
			<figcaption className="flex justify-between gap-2">
				<span className="text-muted">{title}</span>
				<span className="tabular-nums">{total}</span>
			</figcaption>
			<svg
				role="img"
				aria-label={words}
				viewBox={`0 0 ${days.length * 4} ${HEIGHT}`}
				preserveAspectRatio="none"
				className="mt-1 h-10 w-full border-line border-b"
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
							className={`pointer-events-none ${fills[tone]}`}
						/>
					</g>
				))}
			</svg>
			<p aria-hidden className="flex justify-between text-muted text-small tabular-nums">
				<span>{days[0]?.day}</span>
				<span>{days.at(-1)?.day}</span>
			</p>
		</figure>
	);
}

const NONE = { day: '', value: 0, words: '0' };
