'use client';
import { useId } from 'react';
import { personWords } from '#lib/approvals/call-words.ts';
import type { Decision } from '#lib/contract/events/catalogue/approval.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { isReviewing } from '#lib/session/call.ts';
import { questionsOf } from '#lib/supervisor/answer-question.ts';
import { QUESTION_TOOL } from '#lib/supervisor/supervisor-input.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { useLive } from '../live/store.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { CardAnswer } from './card-answer.tsx';
import { CardBackground } from './card-background.tsx';
import { CardClock } from './card-clock.tsx';
import { CardContext } from './card-context.tsx';
import { CardFacts } from './card-facts.tsx';
import { CardInput } from './card-input.tsx';
import { DecidedOutcome } from './decided-outcome.tsx';
import { AllowNextTry } from './grants/allow-next-try.tsx';
import { headlineOf } from './headline.ts';
import { QuestionForm } from './question-form.tsx';
import { useCard } from './use-card.ts';
import { useKeptHeight } from './use-kept-height.ts';

interface ApprovalCardProps {
	sessionId: string;
	approval: ApprovalView;
	/** In a list of cards: this card's part in the list's one tab stop. */
	rowProps?: { 'data-row': string; tabIndex: 0 | -1 };
}

/** All that a person needs to decide one call, and the answers. The keys A, D, E and G work while the card has the focus. */
export function ApprovalCard({ sessionId, approval, rowProps }: ApprovalCardProps) {
	const say = useSay();
	const { approvalId, denials, state: approvalState } = approval;
	const headId = useId();
	const card = useCard(sessionId, approval);
	const { state, isOpen, choice } = card;
	const keepHeight = useKeptHeight(isOpen);
	const isLost = useLive(({ sessions }) => sessions?.[sessionId]?.status === 'lost');
	const questions = approval.tool === QUESTION_TOOL ? questionsOf(card.ask?.input) : [];
	// A form shows what is asked: the input it was made from stands below the answers.
	const hasForm = isOpen && questions.length > 0;
	const input = card.ask && <CardInput sessionId={sessionId} ask={card.ask} onWhole={card.onWhole} />;
	return (
		<article
			aria-label={visibleString(headlineOf(approval, say))}
			data-card={approvalId}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: the keys act on the card that has the focus.
			tabIndex={0}
			{...rowProps}
			ref={(element) => {
				for (const set of card.refs) set(element);
				keepHeight(element);
			}}
			className={cn(
				'flex scroll-mt-14 flex-col gap-1 rounded border p-3 [overflow-wrap:anywhere]',
				frameOf(approval, isOpen),
			)}
		>
			<div className="flex flex-wrap items-baseline justify-between gap-x-4">
				<div className="flex items-baseline gap-1 font-semibold">
					{choice && (
						<label className="-my-1 -ml-1.5 flex size-6 shrink-0 items-center justify-center self-start pointer-coarse:-my-2.5 pointer-coarse:size-10">
							<input
								type="checkbox"
								aria-label={say('Decide together with others')}
								aria-describedby={headId}
								checked={choice.isChosen}
								onChange={choice.toggle}
								className="accent-accent"
							/>
						</label>
					)}
					<h2 id={headId}>
						<AgentText>{headlineOf(approval, say)}</AgentText>
					</h2>
				</div>
				<CardClock approval={approval} isLost={isLost} />
			</div>
			<CardContext sessionId={sessionId} approval={approval} />
			<CardFacts approval={approval} ask={card.ask} />
			{!hasForm && input}
			{isOpen && <CardBackground sessionId={sessionId} approval={approval} />}
			{card.error && (
				<p className="text-warn">{say('The input could not be read: {error}', { error: say.known(card.error) })}</p>
			)}
			{hasForm && (
				<QuestionForm
					questions={questions}
					said={approval.title}
					isBusy={!card.isFree}
					isInTerminal={approval.isPrompt ?? false}
					onAnswer={card.answer}
				/>
			)}
			{isOpen ? (
				<CardAnswer approval={approval} card={card} />
			) : (
				<p role="status" className="font-medium">
					<AgentText>
						{state.step === 'refused' && approval.by
							? say.known(state.message)
							: resultOf(
									approval,
									{
										mine: state.step === 'done' ? state.decision : null,
										mayDecide: card.mayDecide,
										machine: card.machine?.name,
										watched: card.watched,
									},
									say,
								)}
					</AgentText>
				</p>
			)}
			{hasForm && (
				<details>
					<summary className="min-h-6 cursor-pointer text-muted pointer-coarse:min-h-10">{say('Raw input')}</summary>
					{input}
				</details>
			)}
			{decided.includes(approvalState) && <DecidedOutcome sessionId={sessionId} approval={approval} />}
			{over.includes(approvalState) && <AllowNextTry source={{ approvalId }} denials={denials} />}
		</article>
	);
}

function frameOf(approval: ApprovalView, isOpen: boolean): string {
	if (!isOpen) return 'border-line focus-visible:outline-1 focus-visible:outline-edge';
	return isReviewing(approval) ? 'border-run' : 'border-wait';
}

/** States in which a person has answered. */
const decided: readonly ApprovalView['state'][] = ['approved', 'denied', 'answered', 'late'];

/** States in which a denial stands and nobody can approve it any more. */
const over: readonly ApprovalView['state'][] = ['denied', 'expired', 'abandoned', 'late'];

const callDone: Record<Decision, Plain> = { approve: 'Approved', deny: 'Denied', answer: 'Answered' };
const reviewDone: Record<Decision, Plain> = { approve: 'Allowed', deny: 'Blocked', answer: 'Answered' };

interface ResultContext {
	mine: Decision | null;
	mayDecide: boolean;
	/** At a hub: where the call waits, and the same where it is decided there alone. */
	machine: string | undefined;
	watched: string | undefined;
}

function resultOf(approval: ApprovalView, { mine, mayDecide, machine, watched }: ResultContext, say: Say): string {
	if (approval.state !== 'waiting') return capital(personWords(approval, say));
	if (watched !== undefined)
		return say('It is decided at {machine}: its owner lets nobody decide from this hub.', { machine: watched });
	if (!mayDecide) return say('This sign-in may look, but an operator has to decide.');
	if (mine) {
		const decided = say((approval.review ? reviewDone : callDone)[mine]);
		if (machine !== undefined) return say('{decided}: {machine} has told the agent.', { decided, machine });
		return say('{decided}; the agent is told.', { decided });
	}
	if (isReviewing(approval)) return say('The review ran out of time.');
	return approval.isPrompt
		? say('Nobody answered in time; the terminal still asks.')
		: say('Nobody answered in time; the denial stands.');
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
