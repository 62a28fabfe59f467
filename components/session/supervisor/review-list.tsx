'use client';
import Link from 'next/link';
import type { SessionView, SupervisorView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { reviewLook } from '#lib/session/judgement.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { rowKeyOfApproval } from '../../approvals/ask.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useNow } from '../../live/now.ts';
import { rowAddress } from '../../row/row-address.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';

/** Every review of the session, the newest first, with its feedback in full. */
export function ReviewList({ view }: { view: SessionView }) {
	const say = useSay();
	return (
		<ol aria-label={say('Reviews')} className="flex flex-col gap-3">
			{view.supervisor.toReversed().map((review) => (
				<Review key={review.reviewId ?? review.seq} review={review} view={view} />
			))}
		</ol>
	);
}

const subjects: ReadonlyMap<string, Plain> = new Map([
	['Stop', 'stop'],
	['PreToolUse', 'question'],
]);

function Review({ review, view }: { review: SupervisorView; view: SessionView }) {
	const say = useSay();
	const now = useNow();
	const [, setParams] = useSessionParams();
	const { at, hook, feedback, iteration, max, durationMs, error, toolUseId, reviewer } = review;
	const { word, tone, isRunning } = reviewLook(review, now);
	const subject = subjects.get(hook);
	const open = isRunning
		? view.approvals.find((each) => each.state === 'waiting' && each.review?.iteration === iteration)
		: undefined;
	const row = open ? rowKeyOfApproval(open) : toolUseId && `call:${toolUseId}`;
	return (
		<li className="border-line border-l-2 pl-3">
			<p className="flex flex-wrap items-center gap-x-3">
				<span className="font-mono text-mono text-muted">{clockTime(at)}</span>
				<span className={toneText[tone]}>
					<span aria-hidden>{toneGlyph[tone]} </span>
					{say(word)}
				</span>
				<AgentText>{subject === undefined ? hook : say(subject)}</AgentText>
				<span className="text-muted">{say('review {iteration} of {max}', { iteration, max })}</span>
				{isRunning && (
					<span className="text-run">
						<LiveDuration from={at} />
					</span>
				)}
				{durationMs !== undefined && <span className="text-muted">{spanDuration(durationMs, say.language)}</span>}
				{reviewer && (
					<Link href={rowAddress(reviewer)} prefetch={false} className="ml-auto text-accent hover:underline">
						{say('What it did')}
					</Link>
				)}
				{row && (
					<Button
						kind="quiet"
						size="small"
						className={reviewer ? 'text-accent' : 'ml-auto text-accent'}
						onClick={() => void setParams({ row })}
					>
						{open ? say('Decide') : say('Show')}
					</Button>
				)}
			</p>
			{error && (
				<p className="text-err">
					<AgentText>{say('Why: {error}', { error })}</AgentText>
				</p>
			)}
			{feedback && <LazyMarkdown keepsLines>{feedback}</LazyMarkdown>}
		</li>
	);
}
