'use client';
import type { SessionView, SupervisorView } from '#lib/session/view.ts';
import { clockTime } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useNow } from '../../live/now.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';
import { reviewLook } from '../supervisor/review-look.ts';
import { OverviewSection } from './overview-section.tsx';

/** What the supervisor and a validator said last. */
export function LastWords({ view }: { view: SessionView }) {
	const say = useSay();
	const review = view.supervisor.at(-1);
	const { assessment } = view;
	if (!review && !assessment) return null;
	return (
		<OverviewSection title={say('Last verdicts')}>
			{review && <ReviewWord review={review} />}
			{assessment && <AssessmentWord assessment={assessment} />}
		</OverviewSection>
	);
}

function ReviewWord({ review }: { review: SupervisorView }) {
	const say = useSay();
	const { at, iteration, max, feedback } = review;
	const { word, tone } = reviewLook(review, useNow());
	return (
		<p className="[overflow-wrap:anywhere]">
			<span className="font-mono text-mono text-muted">{clockTime(at)}</span>{' '}
			<span className={toneText[tone]}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				{say('Supervisor: {word}', { word: say(word) })}
			</span>{' '}
			<span className="text-muted">{say('{iteration} of {max}', { iteration, max })}</span>
			<AgentText className="line-clamp-4 block">{feedback}</AgentText>
		</p>
	);
}

function AssessmentWord({ assessment }: { assessment: NonNullable<SessionView['assessment']> }) {
	const say = useSay();
	const { validator, allowed, at, reasoning, rating, row } = assessment;
	const tone = allowed ? 'ok' : 'err';
	const [, setParams] = useSessionParams();
	return (
		<p className="[overflow-wrap:anywhere]">
			<span className="font-mono text-mono text-muted">{clockTime(at)}</span>{' '}
			<button type="button" className={`hover:underline ${toneText[tone]}`} onClick={() => void setParams({ row })}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				<AgentText>{validator}</AgentText>: {allowed ? say('passed') : say('refused')}
			</button>
			<AgentText className="line-clamp-4 block">{reasoning ?? rating ?? ''}</AgentText>
		</p>
	);
}
