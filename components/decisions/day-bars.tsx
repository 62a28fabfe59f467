import { useSay } from '../language/use-say.ts';
import { BarStrip, stripWords } from './bar-strip.tsx';
import { type DayBar, spreadDays } from './spread-days.ts';

interface DayBarsProps {
	title: string;
	/** What all days come to. */
	total: string;
	tone: 'err' | 'wait' | 'run';
	bars: readonly DayBar[];
}

/** One figure of all decisions day by day, with its sum. */
export function DayBars({ title, total, tone, bars }: DayBarsProps) {
	const days = spreadDays(bars);
	const say = useSay();
	const most = Math.max(1, ...bars.map(({ value }) => value));
	const isEmpty = bars.every(({ value }) => value === 0);
	return (
		<figure className={isEmpty ? 'max-sm:hidden' : undefined}>
			<figcaption className="flex justify-between gap-2">
				<span className="text-muted">{title}</span>
				<span className="tabular-nums">{total}</span>
			</figcaption>
			<BarStrip label={stripWords(title, total, bars, say)} days={days} most={most} tone={tone} className="mt-1 h-10" />
			<p aria-hidden className="flex justify-between text-muted text-small tabular-nums">
				<span>{days[0]?.day}</span>
				<span>{days.at(-1)?.day}</span>
			</p>
		</figure>
	);
}
