'use client';
import { paceOf } from '#lib/approvals/decision-rate.ts';
import { roughDuration, spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import type { InboxCard } from './inbox-card.ts';

/** Fewer decisions say nothing about a pace. */
const FEWEST = 5;

/** How the last decisions were made, and a word of caution where they were hardly made at all. */
export function PaceLine({ cards }: { cards: readonly InboxCard[] }) {
	const say = useSay();
	const now = useNow();
	const pace = paceOf(
		cards.map(({ approval }) => approval),
		now,
	);
	if (!pace || pace.decided < FEWEST) return null;
	const { decided, approveRate, medianMs, lastHour, isRubberStamp } = pace;
	const median = (medianMs < 60_000 ? spanDuration : roughDuration)(medianMs, say.language);
	return (
		<p className="text-muted text-small">
			{say(
				'Of the last {decided} decided {share} % approved, in {median} at the median; {lastHour} in the last hour.',
				{
					decided,
					share: Math.round(approveRate * 100),
					median,
					lastHour,
				},
			)}
			{isRubberStamp && (
				<span role="note" className="block text-warn">
					{say(
						'Nearly everything is approved within two seconds. Should these calls be denied at all? The Rules page shows which rule denies them.',
					)}
				</span>
			)}
		</p>
	);
}
