'use client';
import { clockTime, isSameDay } from '#lib/time/clock.ts';
import { countUpTo } from '#lib/timeline/chapters.ts';
import { Button } from '../ui/button.tsx';

interface ReplayHeadlineProps {
	/** When something happened, in ms, ascending; at least one. */
	moments: readonly number[];
	/** In ms; null for the whole recording. */
	instant: number | null;
	onShowAll: () => void;
}

const dayOf = (at: number) => new Date(at).toLocaleDateString('en-CA');

/** Says what is shown: the whole recording, or how it stood at an instant, and the way back from there. */
export function ReplayHeadline({ moments, instant, onShowAll }: ReplayHeadlineProps) {
	const [first = 0, last = first] = [moments[0], moments.at(-1)];
	const count = moments.length.toLocaleString('en');
	return (
		<div className="flex min-h-6 flex-wrap items-center gap-x-3">
			<h2 className="font-semibold">
				{instant === null ? 'The whole recording' : `As it was on ${dayOf(instant)} at ${clockTime(instant)}`}
			</h2>
			<p className="text-muted">
				{instant === null
					? `${dayOf(first)} ${clockTime(first)} to ${isSameDay(first, last) ? '' : `${dayOf(last)} `}${clockTime(last)}, ${count} moments. Step or move the slider to see it as it was.`
					: `${countUpTo(moments, instant).toLocaleString('en')} of ${count} moments`}
			</p>
			{instant !== null && (
				<Button size="small" onClick={onShowAll}>
					Show the whole
				</Button>
			)}
		</div>
	);
}
