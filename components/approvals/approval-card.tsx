import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { PageLink, TextLink } from '#components/ui/text-link.tsx';
import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import { deciderWords, outcomeWords, personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalView, CallOutcome, CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import type { Say } from '#lib/messages/say.ts';
import { isReviewing, outcomeOf } from '#lib/session/call.ts';
import { requestSentence } from '#lib/session/row.ts';
import { stageAt, stagesOf } from '#lib/session/workflow-progress.ts';
import { questionsOf } from '#lib/supervisor/answer-question.ts';
import { countUnseen, prettyValue, visibleString } from '#lib/text/visible-text.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Countdown, LiveDuration } from '../live/live-duration.tsx';
import { useAtMostEvery, useNow } from '../live/now.ts';
import { useSummary } from '../live/session-pages.ts';
import { useSession } from '../live/session-source.ts';
import { useConnected, useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { rowAddress } from '../row/addresses.ts';
import { ClientMark } from '../row/client.tsx';
import { useActorName } from '../row/row-hooks.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Payload } from '../ui/text/payload.tsx';
import { Toned } from '../ui/tone.tsx';
import { capital, headlineOf, reasonOf } from './approval-line.tsx';
import { type BlockedLine, buttonWords, type CallDetails, remainingInput, rowKeyOfApproval } from './call-details.ts';
import { CardAnswer } from './card-answer.tsx';
import { CardBackground } from './card-background.tsx';
import { AllowNextTry } from './grants/allow-next-try.tsx';
import { QuestionForm } from './question-form.tsx';
import { type Card, useCard } from './use-card.ts';
import { deadlineOf, RECEIPT_MS } from './waiting.ts';

interface ApprovalCardProps {
	sessionId: string;
	approval: ApprovalView;
	rowProps?: { 'data-row': string; tabIndex: 0 | -1 };
	/** Shown on the session's own page, whose header names the session. */
	isInSession?: boolean;
}

/** Everything needed to decide one call, with the buttons. The keys A, D, E and G work while the card has the focus. */
export function ApprovalCard(props: ApprovalCardProps) {
	const { sessionId, approval, rowProps, isInSession = false } = props;
	const say = useSay();
	const { approvalId, denials, state: approvalState } = approval;
	const card = useCard(sessionId, approval);
	const { isOpen } = card;
	const keepHeight = useKeptHeight(isOpen);
	const questions = approval.tool === QUESTION_TOOL ? questionsOf(card.details?.input) : [];
	const hasForm = isOpen && questions.length > 0;
	const remaining = card.details && remainingInput(card.details.input, approval.title);
	return (
		<article
			aria-label={visibleString(headlineOf(approval, say))}
			data-card={approvalId}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: the keys act on the focused card.
			tabIndex={0}
			{...rowProps}
			ref={(element) => {
				for (const set of card.refs) set(element);
				keepHeight(element);
			}}
			className={cn(
				'relative flex scroll-mt-14 flex-col gap-1.5 [overflow-wrap:anywhere]',
				!isInSession && `rounded border p-4 ${frameOf(approval, isOpen)}`,
			)}
		>
			<CardHead {...{ sessionId, approval, card, isInSession }} />
			{!hasForm && card.details && (
				<CardInput sessionId={sessionId} details={{ ...card.details, input: remaining }} onWhole={card.onWhole} />
			)}
			{isOpen && <CardBackground sessionId={sessionId} approval={approval} />}
			{card.error && (
				<p className="text-warn">{say('The input could not be read: {error}', { error: say.known(card.error) })}</p>
			)}
			{hasForm && <QuestionForm questions={questions} approval={approval} card={card} />}
			{isOpen && <CardAnswer approval={approval} card={card} />}
			{card.details && (isOpen || !isInSession) && (hasForm || remaining !== card.details.input) && (
				<RawInput sessionId={sessionId} input={card.details.input} shown={remaining} hasForm={hasForm} />
			)}
			{DECIDED.includes(approvalState) && (
				<DecidedOutcome sessionId={sessionId} approval={approval} hasLink={!isInSession} />
			)}
			{FINALLY_DENIED.includes(approvalState) && (
				<AllowNextTry source={{ approvalId }} denials={denials} machine={card.machine} />
			)}
		</article>
	);
}

type CardHeadProps = ApprovalCardProps & { card: Card };

/** What is asked, why and where. */
function CardHead({ sessionId, approval, card, isInSession = false }: CardHeadProps) {
	const say = useSay();
	const headId = useId();
	const nameOf = useActorName(sessionId);
	const isLost = useLive(({ sessions }) => sessions?.[sessionId]?.status === 'lost');
	const { denials, review } = approval;
	const { choice, state, isOpen } = card;
	const actor = approval.actor ?? nameOf(approval.agentId);
	const isDenial = denials.length > 0 && !review;
	return (
		<>
			<div className={cn('flex flex-wrap items-baseline justify-between gap-x-4', isInSession && 'pr-10')}>
				<div className="flex min-w-0 flex-1 basis-72 items-baseline gap-1">
					{choice && (
						<label className="flex size-6 shrink-0 items-center justify-center self-start group-only:max-lg:hidden lg:absolute lg:-left-8 lg:group-only:opacity-0 lg:group-only:group-hover:opacity-100 lg:group-only:group-focus-within:opacity-100 pointer-coarse:-my-2 pointer-coarse:size-10">
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
					<h2 id={headId} className="font-semibold text-title">
						<AgentText>{isDenial ? requestSentence(approval, actor, say) : headlineOf(approval, say)}</AgentText>
					</h2>
				</div>
				<CardClock approval={approval} isLost={isLost} />
			</div>
			{!isOpen && (
				<p
					role="status"
					className={cn('font-medium', approval.state === 'denied' && "text-err before:content-['✕_']")}
					title={approval.by && deciderWords(approval.by, say)}
				>
					<AgentText>
						{state.step === 'refused' && approval.by ? say.known(state.message) : resultOf(approval, card, say)}
					</AgentText>
				</p>
			)}
			{isDenial && <CardReason approval={approval} details={card.details} />}
			{review && denials[0] && <AgentText className="whitespace-pre-wrap">{denials[0].reason}</AgentText>}
			{!isInSession && <CardContext sessionId={sessionId} approval={approval} actor={isDenial ? undefined : actor} />}
		</>
	);
}

function frameOf(approval: ApprovalView, isOpen: boolean): string {
	if (!isOpen) return 'border-line focus-visible:outline-1 focus-visible:outline-edge';
	return isReviewing(approval) ? 'border-run' : 'border-wait';
}

const DECIDED: readonly ApprovalView['state'][] = ['approved', 'denied', 'answered', 'late'];

/** States in which the denial is final and can no longer be approved. */
const FINALLY_DENIED: readonly ApprovalView['state'][] = ['denied', 'expired', 'abandoned', 'late'];

function resultOf(approval: ApprovalView, { state, mayDecide, machine, elsewhere }: Card, say: Say): string {
	if (approval.state !== 'waiting') return capital(personWords(approval, say));
	if (elsewhere !== undefined)
		return say('It is decided at {machine}: its owner lets nobody decide from this hub.', { machine: elsewhere });
	if (!mayDecide) return say('This sign-in may look, but an operator has to decide.');
	if (state.step === 'done') {
		const decided = say(buttonWords(approval).done[state.decision]);
		if (machine) return say('{decided}: {machine} has told the agent.', { decided, machine: machine.name });
		return say('{decided}; the agent receives it.', { decided });
	}
	if (isReviewing(approval)) return say('The review ran out of time.');
	return approval.isPrompt
		? say('Nobody answered in time; the terminal still asks.')
		: say('Nobody answered in time; the denial stands.');
}

function CardClock({ approval, isLost }: { approval: ApprovalView; isLost: boolean }) {
	const say = useSay();
	const now = useNow();
	const isConnected = useConnected();
	const deadline = deadlineOf(approval);
	if (approval.review && !approval.review.isOver) return <ReviewClock approval={approval} isOver={deadline <= now} />;
	if (approval.state !== 'waiting' || deadline <= now) return null;
	// Without a server no call waits any more, so the last known state is no longer true.
	if (!isConnected) return <span className="text-warn">{say('not connected: it may no longer wait')}</span>;
	return (
		<span className="text-wait">
			<Phrase of="{time} left" with={{ time: <Countdown until={deadline} /> }} />
			{isLost && ` · ${say('agent gone')}`}
		</span>
	);
}

function ReviewClock({ approval, isOver }: { approval: ApprovalView; isOver: boolean }) {
	const { review, state, requestedAt } = approval;
	if (!review || state !== 'waiting') return null;
	return (
		<span className={isOver ? 'text-warn' : 'text-run'}>
			<Phrase
				of="reviewing {time}, at most {left} · {iteration} of {max}"
				with={{
					time: <LiveDuration from={requestedAt} />,
					left: <Countdown until={deadlineOf(approval)} />,
					iteration: review.iteration,
					max: review.max,
				}}
			/>
		</span>
	);
}

interface CardContextProps {
	sessionId: string;
	approval: ApprovalView;
	/** Absent if the title names it. */
	actor: string | undefined;
}

function CardContext({ sessionId, approval, actor }: CardContextProps) {
	const say = useSay();
	const session = useSummary(sessionId);
	const { state, requestedAt } = approval;
	const asOf = useSession(
		sessionId,
		({ view }) => view && requestedAt && stageAt(stagesOf(view.workflow), requestedAt),
	);
	const now = state === 'waiting' ? session?.stages.find((each) => each.state === 'active')?.key : undefined;
	// The session list knows only the current stage. While the agent waits, that is the stage of the question.
	const isLoaded = useSession(sessionId, ({ view }) => view !== null);
	const stage = isLoaded ? asOf : now;
	const words = [
		session?.project ?? sessionId,
		session?.branch,
		session?.machine?.name,
		stage && say('stage {stage}', { stage }),
		actor && say('asked by {agent}', { agent: actor }),
	];
	const title = session?.title;
	return (
		<PageLink
			href={rowAddress(sessionId, rowKeyOfApproval(approval))}
			className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 text-muted hover:text-text hover:underline"
		>
			<AgentText className="min-w-0 max-w-full truncate">{words.filter(Boolean).join(' · ')}</AgentText>
			<ClientMark client={session?.agent} />
			{title && <AgentText className="min-w-0 max-w-full truncate">{`“${title}”`}</AgentText>}
		</PageLink>
	);
}

function CardReason({ approval, details }: { approval: ApprovalView; details: CallDetails | null }) {
	const say = useSay();
	const { denials } = approval;
	const [first] = denials;
	const reason = reasonOf(approval, say);
	const expected = details?.expected ?? [];
	return (
		<p title={visibleString(first?.rule ?? '')}>
			<AgentText>
				{expected.length > 0 ? say('{reason}, which has {agents}', { reason, agents: expected.join(', ') }) : reason}
			</AgentText>
			<span className="text-muted">
				{' · '}
				<AgentText>{say.known(gateSentence(first?.gate ?? ''))}</AgentText>
				{denials.length > 1 && say(' and {count} more; approving overrides all', { count: denials.length - 1 })}
			</span>
		</p>
	);
}

function CardInput({
	sessionId,
	details,
	onWhole,
}: {
	sessionId: string;
	details: CallDetails;
	onWhole: (isWhole: boolean) => void;
}) {
	const say = useSay();
	const { input, command } = details;
	return (
		<div>
			<Payload
				sessionId={sessionId}
				value={input}
				isFolded
				hasPlainNames
				onWhole={onWhole}
				{...(command && { draw: (text) => (isLine(command, text) ? <BlockedText line={command} /> : null) })}
			/>
			{command && command.pattern !== '' && (
				<p>
					<span className="text-muted">{say('Excluded by ')}</span>
					<AgentText className="font-mono text-mono">{command.pattern}</AgentText>
				</p>
			)}
		</div>
	);
}

interface RawInputProps {
	sessionId: string;
	input: unknown;
	shown: unknown;
	hasForm: boolean;
}

/** The complete input, of which the card shows parts as text; rendered when opened. */
function RawInput({ sessionId, input, shown, hasForm }: RawInputProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	// Memoized: inputs can be large, and the card renders again with every answer.
	const ofInput = useMemo(() => countUnseen(prettyValue(input)), [input]);
	const isWarned = isOpen || (ofInput > 0 && !hasForm && countUnseen(prettyValue(shown)) > 0);
	const unseen = isWarned ? 0 : ofInput;
	return (
		<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary className="min-h-6 text-muted pointer-coarse:min-h-10">
				{say('Raw input')}
				{unseen > 0 && (
					<Toned tone="warn">{say('{unseen} {unseen:character|characters} that would not be seen', { unseen })}</Toned>
				)}
			</summary>
			{isOpen && <Payload sessionId={sessionId} value={input} />}
		</details>
	);
}

const isLine = ({ before, found, after }: BlockedLine, text: string) => `${before}${found}${after}` === text;

function BlockedText({ line: { before, found, after } }: { line: BlockedLine }) {
	return (
		<p className="whitespace-pre-wrap font-mono text-mono [overflow-wrap:anywhere]">
			<AgentText>{before}</AgentText>
			<mark className="bg-transparent font-semibold text-err underline decoration-2 underline-offset-2">
				<AgentText>{found}</AgentText>
			</mark>
			<AgentText>{after}</AgentText>
		</p>
	);
}

/** Minimum interval (ms) between reloads of a busy session. */
const PAUSE = 1000;

type DecidedOutcomeProps = Pick<ApprovalCardProps, 'sessionId' | 'approval'> & { hasLink: boolean };

function DecidedOutcome({ sessionId, approval, hasLink }: DecidedOutcomeProps) {
	const say = useSay();
	const call = useDecidedCall(sessionId, approval);
	const outcome = call && outcomeWords(call);
	const isRunning = call !== null && outcomeOf(call) === 'running';
	return (
		<p aria-live="polite" className="flex flex-wrap gap-x-3">
			{outcome && outcome.word !== 'denied' && <Toned tone={outcome.tone}>{say(outcome.word)}</Toned>}
			{hasLink && (
				<TextLink href={rowAddress(sessionId, rowKeyOfApproval(approval))}>
					{isRunning ? say('Watch it run') : say('Show the call')}
				</TextLink>
			)}
		</p>
	);
}

const isOpenEnded: ReadonlySet<CallOutcome> = new Set(['running', 'waiting', 'stopped']);

function useDecidedCall(sessionId: string, { toolUseId, state }: ApprovalView): CallView | null {
	const [isEnded, setEnded] = useState(false);
	const events = useLive(({ sessions }) => sessions?.[sessionId]?.counts.events);
	const version = useAtMostEvery(isEnded ? 0 : events, PAUSE);
	const isOfCall = toolUseId !== undefined;
	const { data } = useRoute('GET /api/sessions/:id', isOfCall ? { params: { id: sessionId } } : null, { version });
	const call = data?.session.calls.find((each) => each.toolUseId === toolUseId) ?? null;
	// A denied call may still run later, so it is over only when its outcome is final.
	const isOver = call?.approval?.state === state && !isOpenEnded.has(outcomeOf(call));
	if (isOver !== isEnded) setEnded(isOver);
	return call;
}

/** Keeps the height of a card while its receipt is shown, so that the cards below do not move. Returns the card's ref. */
function useKeptHeight(isOpen: boolean): (element: HTMLElement | null) => void {
	const card = useRef<HTMLElement>(null);
	const height = useRef(0);
	useLayoutEffect(() => {
		if (isOpen && card.current) height.current = card.current.offsetHeight;
	});
	useLayoutEffect(() => {
		const { current: element } = card;
		if (isOpen || !element?.closest('li')?.nextElementSibling || height.current === 0) return;
		element.style.minHeight = `${height.current}px`;
		const release = () => element.style.removeProperty('min-height');
		const timer = setTimeout(release, RECEIPT_MS);
		return () => {
			clearTimeout(timer);
			release();
		};
	}, [isOpen]);
	return useCallback((element) => {
		card.current = element;
	}, []);
}
