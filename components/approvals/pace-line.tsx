'use client';
import { paceOf } from '#lib/approvals/pace.ts';
import { roughDuration, spanDuration } from '#lib/time/duration.ts';
import { useNow } from '../live/now.ts';
import type { InboxCard } from './inbox-card.ts';

/** Fewer decisions say nothing about a pace. */
const FEWEST = 5;

/** How the last decisions were made, and a word of caution where they were hardly made at all. */
export function PaceLine({ cards }: { cards: readonly InboxCard[] }) {
	const now = useNow();
	const pace = paceOf(
		cards.map(({ approval }) => approval),
		now,
	);
	if (!pace || pace.decided < FEWEST) return null;
	const { decided, approveRate, medianMs, lastHour, isRubberStamp } = pace;
	const median = medianMs < 60_000 ? spanDuration(medianMs) : roughDuration(medianMs);
	return (
		<p className="text-muted text-small">
			Of the last {decided} decided {Math.round(approveRate * 100)} % approved, in {median} at the median; {lastHour} in
			the last hour.
			{isRubberStamp && (
				<span role="note" className="block text-warn">
					Nearly everything is approved within two seconds. Should these calls be denied at all? The Rules page shows
					which rule denies them.
				</span>
			)}
		</p>
	);
}
