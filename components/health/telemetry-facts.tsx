'use client';
import type { TelemetryCounts } from '#lib/contract/health/status.ts';
import type { Say } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Advice } from '../ui/text/advice.tsx';

/** What became of the telemetry that clients sent, and what of it could not be used. */
export function TelemetryFacts({ counts }: { counts: TelemetryCounts }) {
	const say = useSay();
	if (counts.records + counts.refused + counts.rejected === 0) {
		return (
			<p className="text-muted">
				<Advice>{say('No client has sent any. `signalbox init --telemetry` has them do it.')}</Advice>
			</p>
		);
	}
	return (
		<ul className="tabular-nums">
			{linesOf(counts, say).map(({ words, tone = '' }) => (
				<li key={words} className={tone}>
					{words}
				</li>
			))}
		</ul>
	);
}

function linesOf(counts: TelemetryCounts, say: Say): { words: string; tone?: string }[] {
	const { records, told, inTranscript, waiting, unjoined, callless, rejected, refused } = counts;
	const some = (count: number, words: string, tone: string) => (count === 0 ? [] : [{ words, tone }]);
	return [
		{ words: say('{count} {count:record|records} read, {told} told', { count: records, told }) },
		...some(inTranscript, say('{count} also in a transcript, which counts', { count: inTranscript }), 'text-muted'),
		...some(waiting, say('{count} waiting for the first hook of their session', { count: waiting }), 'text-muted'),
		...some(callless, say('{count} about a call that nobody knows', { count: callless }), 'text-muted'),
		...some(unjoined, say('{count} of sessions that nobody knows', { count: unjoined }), 'text-warn'),
		...some(rejected, say('{count} unreadable or too many at once', { count: rejected }), 'text-warn'),
		...some(refused, say('{count} {count:request|requests} refused', { count: refused }), 'text-warn'),
	];
}
