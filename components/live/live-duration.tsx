import { runningDuration, spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { useClock, useNow } from './now.ts';

interface LiveDurationProps {
	from: string | undefined;
	to?: string | undefined;
	className?: string;
}

/** Time since an instant, which ticks every second, or until its end. */
export function LiveDuration({ from, to, className }: LiveDurationProps) {
	const say = useSay();
	const now = useClock((at) => (to ? 0 : at));
	if (!from || (!to && now === 0)) return null;
	const ms = (to ? Date.parse(to) : now) - Date.parse(from);
	return (
		<time dateTime={from} className={className}>
			{Number.isNaN(ms) ? '–' : (to ? spanDuration : runningDuration)(ms, say.language)}
		</time>
	);
}

/** Time until an instant (ms); 0:00 after it. */
export function Countdown({ until }: { until: number }) {
	const say = useSay();
	const now = useNow();
	if (!Number.isFinite(until) || now === 0) return null;
	return <time dateTime={new Date(until).toISOString()}>{runningDuration(until - now, say.language)}</time>;
}
