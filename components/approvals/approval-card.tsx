'use client';
import { useState } from 'react';
import type { Decision } from '#lib/contract/catalogue/approval.ts';
import { mayBeGranted } from '#lib/grants/covers.ts';
import { type ApprovalView, isReviewing } from '#lib/session/call.ts';
import { questionsOf } from '#lib/supervisor/answer-question.ts';
import { QUESTION_TOOL } from '#lib/supervisor/hook-forms.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useShortcut } from '../frame/use-shortcut.ts';
import { AllowNextTry } from '../grants/allow-next-try.tsx';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { useRowEvents } from '../session/use-row-events.ts';
import { personWords } from '../story/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Payload } from '../text/payload.tsx';
import { cn } from '../ui/cn.ts';
import { approveBlock } from './approve-block.ts';
import { agentOf, askOf, rowKeyOfApproval } from './ask.ts';
import { BlockedCommand } from './blocked-command.tsx';
import { CardActions } from './card-actions.tsx';
import { CardClock } from './card-clock.tsx';
import { CardContext } from './card-context.tsx';
import { headlineOf } from './headline.ts';
import { QuestionForm } from './question-form.tsx';
import { useDecision } from './use-decision.ts';
import { useLastMessage } from './use-last-message.ts';
import { useMayDecide } from './use-may-decide.ts';
import { deadlineOf } from './waiting.ts';

interface ApprovalCardProps {
	sessionId: string;
	approval: ApprovalView;
	/** In a list of cards: this card's part in the list's one tab stop. */
	rowProps?: { 'data-row': string; tabIndex: 0 | -1 };
}

/** All that a person needs to decide one call, and the two answers. A and D work while the card has the focus. */
export function ApprovalCard({ sessionId, approval, rowProps }: ApprovalCardProps) {
	const { approvalId, denials, state: approvalState, review } = approval;
	const [reason, setReason] = useState('');
	const [opened, setOpened] = useState(false);
	const now = useNow();
	const found = useRowEvents(sessionId, rowKeyOfApproval(approval), approvalState);
	const isLost = useLive(({ sessions }) => sessions?.[sessionId]?.status === 'lost');
	const said = useLastMessage(sessionId);
	const { state, send } = useDecision(approvalId);
	const ask = found?.events ? askOf(found.events, approvalId) : null;
	const mayDecide = useMayDecide();
	const isOpen = approvalState === 'waiting' && deadlineOf(approval) > now && state.step !== 'done' && mayDecide;
	const blocked = isOpen ? approveBlock(ask, opened) : null;

	function decide(decision: 'approve' | 'deny', words: string) {
		if (isOpen && state.step !== 'sending') void send({ decision, ...(words.trim() && { reason: words.trim() }) });
	}
	const approveRef = useShortcut<HTMLElement>('approve', () => blocked === null && decide('approve', reason), isOpen);
	const denyRef = useShortcut<HTMLElement>('deny', () => decide('deny', reason), isOpen);
	const questions = approval.tool === QUESTION_TOOL ? questionsOf(ask?.input) : [];
	const agent = agentOf(ask?.input);
	return (
		<article
			aria-label={visibleString(headlineOf(approval))}
			data-card={approvalId}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: A and D act on the card that has the focus.
			tabIndex={0}
			{...rowProps}
			ref={(element) => {
				approveRef(element);
				denyRef(element);
			}}
			className={cn(
				'flex flex-col gap-1 rounded border p-3',
				isOpen
					? isReviewing(approval)
						? 'border-run'
						: 'border-wait'
					: 'border-line focus-visible:outline-1 focus-visible:outline-edge',
			)}
		>
			<div className="flex flex-wrap items-baseline justify-between gap-x-4">
				<h2 className="font-semibold">
					<AgentText>{headlineOf(approval)}</AgentText>
				</h2>
				<CardClock approval={approval} isLost={isLost} />
			</div>
			<CardContext sessionId={sessionId} approval={approval} />
			<p>
				<AgentText className="font-medium">{agent ? `${approval.tool} → ${agent}` : approval.tool}</AgentText>{' '}
				<AgentText>{approval.title && `“${approval.title}”`}</AgentText>
			</p>
			{ask && ask.expected.length > 0 && (
				<p>
					<span className="text-muted">Expected </span>
					<AgentText>{ask.expected.join(', ')}</AgentText>
					<AgentText className="text-muted">{placeInPlan(ask)}</AgentText>
				</p>
			)}
			{ask?.command && <BlockedCommand command={ask.command} />}
			<WhyDenied approval={approval} />
			{isOpen && said && (
				<p className="line-clamp-3">
					<span className="text-muted">The agent said: </span>
					<AgentText>{`“${said}”`}</AgentText>
				</p>
			)}
			{ask && (
				<details>
					<summary className="flex h-7 items-center text-accent">Full input</summary>
					<Payload sessionId={sessionId} value={ask.input} onWhole={() => setOpened(true)} />
				</details>
			)}
			{found?.error && <p className="text-warn">The input could not be read: {found.error}</p>}
			{isOpen && questions.length > 0 && (
				<QuestionForm
					questions={questions}
					isBusy={state.step === 'sending'}
					onAnswer={(answers) => void send({ decision: 'answer', updatedInput: { answers } })}
				/>
			)}
			{isOpen ? (
				<CardActions
					isReview={review !== undefined}
					state={state}
					blocked={blocked}
					reason={reason}
					onReason={setReason}
					onDecide={decide}
				/>
			) : (
				<p role="status" className="font-medium">
					<AgentText>{resultOf(approval, state.step === 'done' ? state.decision : null, mayDecide)}</AgentText>
				</p>
			)}
			{over.includes(approvalState) && mayBeGranted(denials) && <AllowNextTry source={{ approvalId }} />}
		</article>
	);
}

/** States in which a denial stands and nobody can approve it any more. */
const over: readonly ApprovalView['state'][] = ['denied', 'expired', 'abandoned'];

function WhyDenied({ approval: { denials, review } }: { approval: ApprovalView }) {
	const [denial] = denials;
	if (!denial) return null;
	return (
		<p>
			{review && <AgentText className="block whitespace-pre-wrap">{denial.reason}</AgentText>}
			<span className="text-muted">Why denied: rule </span>
			<AgentText className="font-mono text-mono">{denial.rule}</AgentText>
			{denials.length > 1 && (
				<span className="text-muted"> and {denials.length - 1} more; approving overrides all</span>
			)}
		</p>
	);
}

function placeInPlan({ planId, phase }: { planId: string | null; phase: number | null }): string {
	if (planId === null) return '';
	return phase === null ? ` (plan ${planId})` : ` (plan ${planId}, phase ${phase})`;
}

const callDone: Record<Decision, string> = { approve: 'Approved', deny: 'Denied', answer: 'Answered' };
const reviewDone: Record<Decision, string> = { approve: 'Allowed', deny: 'Blocked', answer: 'Answered' };

function resultOf(approval: ApprovalView, mine: Decision | null, mayDecide: boolean): string {
	if (approval.state !== 'waiting') return capital(personWords(approval));
	if (!mayDecide) return 'This sign-in may look, but an operator has to decide.';
	if (mine) return `${(approval.review ? reviewDone : callDone)[mine]}; the agent is told.`;
	return isReviewing(approval) ? 'The review ran out of time.' : 'Nobody answered in time; the denial stands.';
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
