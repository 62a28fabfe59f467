import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { cn } from './cn.ts';

const MINUTE_MS = 60_000;

/** A time: today's time or an earlier date; the full date and time on hover. */
export function When({ at, className }: { at: string; className?: string }) {
	const say = useSay();
	const now = useClock((instant) => Math.floor(instant / MINUTE_MS) * MINUTE_MS);
	return (
		<time dateTime={at} title={dayAndTime(at)} className={cn('text-muted tabular-nums', className)}>
			{clockOrDate(at, now, say.language)}
		</time>
	);
}
