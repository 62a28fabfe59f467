import { clockDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { useClock, useNow } from './now.ts';

interface LiveDurationProps {
	from: string | undefined;
	to?: string | undefined;
	className?: string;
}

/** Time since an instant; the only thing on the page that ticks. */
export function LiveDuration({ from, to, className }: LiveDurationProps) {
	const say = useSay();
	const now = useClock((at) => (to ? 0 : at));
	if (!from || (!to && now === 0)) return null;
	const ms = (to ? Date.parse(to) : now) - Date.parse(from);
	return (
		<time dateTime={from} className={className}>
			{Number.isNaN(ms) ? '–' : clockDuration(ms, say.language)}
		</time>
	);
}

/** Time until an instant (ms); lapsed ones read 0:00. */
export function Countdown({ until }: { until: number }) {
	const say = useSay();
	const now = useNow();
	if (!Number.isFinite(until) || now === 0) return null;
	return <time dateTime={new Date(until).toISOString()}>{clockDuration(until - now, say.language)}</time>;
}
