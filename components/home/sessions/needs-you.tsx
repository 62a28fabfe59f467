import { useEffect, useRef, useState } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import { decidedOnlyAt } from '#lib/approvals/call-words.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { requestSentence } from '#lib/session/row.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { DecidedAt, headlineOf, Receipt, reasonOf, TimeLeft } from '../../approvals/approval-line.tsx';
import {
	buttonWords,
	callDetailsOf,
	remainingInput,
	rowKeyOfApproval,
	whyNotApprovable,
} from '../../approvals/call-details.ts';
import { HASTY, useStillness } from '../../approvals/still/use-stillness.ts';
import { useDecision, useEnded, useUnderWay } from '../../approvals/use-decision.ts';
import { UNASKED_ANCHOR, useUnasked } from '../../approvals/use-unasked.ts';
import { cardAddress, deadlineOf, type Question } from '../../approvals/waiting.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { Countdown, LiveDuration } from '../../live/live-duration.tsx';
import { NOT_CONNECTED, useConnected } from '../../live/store.ts';
import { rowAddress } from '../../row/addresses.ts';
import { useRowEvents } from '../../row/row-hooks.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { useShortcut } from '../../ui/keys/use-shortcut.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { fieldsOf, isCutOff } from '../../ui/text/payload.tsx';
import { toneGlyph } from '../../ui/tone.tsx';
import type { RowProps } from '../../ui/use-roving.ts';
import { useCut } from '../../ui/use-size.ts';
import { DO_CELL, NEED_GRID, NeedLine, SessionSection, TIME_CELL, WHY_CELL } from './session-row.tsx';

/** Maximum number of questions here; the others are answered on their own page. */
const MAX_WAITING = 20;

interface NeedsYouProps {
	questions: readonly Question[];
	stuck: readonly SessionSummary[];
	tabStop: string | undefined;
	/** Whose denials count that no one was asked about: of all sessions by default. */
	isOfInterest?: (sessionId: string) => boolean;
}

/** Sessions shown in this section, which the rest of the page omits. */
export function needySessions({ questions, stuck }: Pick<NeedsYouProps, 'questions' | 'stuck'>): ReadonlySet<string> {
	const asking = questions.slice(0, MAX_WAITING).map(({ session }) => session.sessionId);
	return new Set([...asking, ...stuck.slice(0, MAX_WAITING).map(({ sessionId }) => sessionId)]);
}

/** The keys of its rows from top to bottom, for the list's one tab stop. */
export function needsYouKeys({ questions, stuck }: Pick<NeedsYouProps, 'questions' | 'stuck'>): string[] {
	const approvalIds = questions.slice(0, MAX_WAITING).map(({ approval }) => approval.approvalId);
	return [...approvalIds, ...stuck.slice(0, MAX_WAITING).map(stuckKey)];
}

const stuckKey = ({ sessionId }: SessionSummary) => `stuck:${sessionId}`;

/** Calls that wait for a person, most urgent first, then sessions that need a person to continue. */
export function NeedsYou({ questions, stuck, tabStop, isOfInterest = () => true }: NeedsYouProps) {
	const say = useSay();
	const unasked = useUnasked().filter(({ sessionId }) => isOfInterest(sessionId));
	const [newest] = unasked;
	if (questions.length + stuck.length + unasked.length === 0) return null;
	const rowProps = (key: string): RowProps => ({ 'data-row': key, tabIndex: key === tabStop ? 0 : -1 });
	return (
		<SessionSection title={say('Needs you')}>
			{questions.slice(0, MAX_WAITING).map((question) => {
				const { approvalId } = question.approval;
				return <NeedsYouRow key={approvalId} question={question} rowProps={rowProps(approvalId)} />;
			})}
			{questions.length > MAX_WAITING && (
				<li className="flex min-h-9 items-center px-4">
					<PageLink href="/approvals" className="text-accent hover:underline">
						{say('{count} more wait: open Approvals', { count: questions.length - MAX_WAITING })}
					</PageLink>
				</li>
			)}
			{stuck.slice(0, MAX_WAITING).map((session) => (
				<StuckRow key={stuckKey(session)} session={session} rowProps={rowProps(stuckKey(session))} />
			))}
			{stuck.length > MAX_WAITING && (
				<li className="flex min-h-9 items-center px-4 text-muted">
					{say('{count} more {count:session has|sessions have} stopped.', { count: stuck.length - MAX_WAITING })}
				</li>
			)}
			{newest && (
				<li>
					<PageLink href={`/approvals#${UNASKED_ANCHOR}`} className={`${NEED_GRID} hover:bg-hover`}>
						<span aria-hidden className="text-center text-err">
							{toneGlyph.err}
						</span>
						<span className={`${TIME_CELL} text-err`}>
							<Phrase of="{time} ago" with={{ time: <LiveDuration from={newest.at} /> }} />
						</span>
						<span className="col-start-2 row-start-1 truncate font-medium @min-[640px]:col-start-3">
							{say('{count} {count:call|calls} denied, and no one was asked', { count: unasked.length })}
						</span>
						<span className={`${DO_CELL} row-start-2 justify-self-end text-accent`}>{say('Show')}</span>
					</PageLink>
				</li>
			)}
		</SessionSection>
	);
}

/** An open approval as one line, decidable here if its whole input is visible. Column widths are fixed. */
function NeedsYouRow({ question, rowProps }: { question: Question; rowProps: RowProps }) {
	const say = useSay();
	const { approval, session } = question;
	const quick = useQuickDecision(question);
	const { state, isOver, open } = quick;
	return (
		<li
			{...rowProps}
			aria-label={visibleString(headlineOf(approval, say))}
			ref={(element) => {
				for (const set of quick.refs) set(element);
			}}
			onKeyDown={({ key, repeat, target, currentTarget }) => {
				if (key === 'Enter' && !repeat && target === currentTarget) open();
			}}
			className={NEED_GRID}
		>
			<NeedLine
				glyph="◆"
				tone="text-wait"
				time={isOver ? <span className="sr-only">{say('Asked you')}</span> : <TimeLeft approval={approval} />}
				session={session}
				href={rowAddress(session.sessionId, rowKeyOfApproval(approval))}
				notice={
					quick.stillness.isHasty && (
						<span role="status" className="block truncate text-warn">
							{say(HASTY)}
						</span>
					)
				}
			/>
			<AskedLine approval={approval} quick={quick} />
			<QuickAnswer approval={approval} quick={quick} />
			{quick.underWay !== undefined && state.step === 'open' && (
				<p role="status" className="col-span-full text-right text-run">
					<AgentText>{quick.underWay}</AgentText>
				</p>
			)}
			{state.step === 'refused' && !isOver && <Alert className="col-span-full text-right">{state.message}</Alert>}
		</li>
	);
}

/** A session that needs a person to continue: a failed stage, or a question in its terminal. */
function StuckRow({ session, rowProps }: { session: SessionSummary; rowProps: RowProps }) {
	const say = useSay();
	const { stuck, lastAt } = session;
	return (
		<li>
			<PageLink {...rowProps} href={rowAddress(session.sessionId)} className={`${NEED_GRID} hover:bg-hover`}>
				<NeedLine
					glyph={stuck ? toneGlyph.err : toneGlyph.wait}
					tone={stuck ? 'text-err' : 'text-wait'}
					time={<Phrase of="waiting {time}" with={{ time: <LiveDuration from={stuck?.at ?? lastAt} /> }} />}
					session={session}
				/>
				<span className={`${WHY_CELL} line-clamp-2 [overflow-wrap:anywhere] @min-[900px]:col-span-2`}>
					{stuck ? (
						<>
							<AgentText className="text-err">{stuck.stages.join(', ') || say('The workflow')}</AgentText>{' '}
							<AgentText>{say('waits for you: {why}', { why: say.field(stuck, 'why') })}</AgentText>
						</>
					) : (
						say('asks in its own terminal: answer it there')
					)}
				</span>
			</PageLink>
		</li>
	);
}

/** The buttons of a question. After the decision, its receipt in the same place and size. */
function QuickAnswer({ approval, quick }: { approval: ApprovalView; quick: QuickDecision }) {
	const say = useSay();
	const { state, isOver, isOpen, isLong, isBusy } = quick;
	const { approve, deny, done } = buttonWords(approval);
	const decisionWord = 'decision' in state ? say(done[state.decision]) : null;
	return (
		<span
			ref={quick.stillness.ref}
			className={cn(
				DO_CELL,
				'flex min-h-6 pointer-coarse:min-h-11 items-center justify-end gap-2 @min-[900px]:w-52',
				// The result is a sentence and takes the place of the question.
				isOver && '@min-[900px]:w-96',
			)}
		>
			{(isOver || state.step === 'done') &&
				(quick.ended ? (
					<Receipt approval={quick.ended} isLate={state.step === 'refused'} />
				) : (
					<span role="status">{state.step === 'done' ? decisionWord : say('It is over.')}</span>
				))}
			{state.step === 'delayed' && !isOver && (
				<span role="status" className="inline-flex items-center gap-2">
					<Phrase of="{decided} in {time}" with={{ decided: decisionWord, time: <Countdown until={state.until} /> }} />
					<Button size="small" onClick={quick.undo}>
						{say('Undo')}
					</Button>
				</span>
			)}
			{isOpen && !isLong && (
				<Button
					kind="primary"
					size="small"
					className="md:min-w-18 max-md:grow"
					title={quick.approveBlock === null ? undefined : say(quick.approveBlock)}
					disabled={isBusy || quick.approveBlock !== null}
					onClick={() => quick.decide('approve')}
				>
					{say(approve)}
				</Button>
			)}
			{isOpen && (
				<Button
					kind="danger"
					size="small"
					className="max-md:grow"
					title={quick.denyBlock === null ? undefined : say(quick.denyBlock)}
					disabled={isBusy}
					onClick={() => quick.decide('deny')}
				>
					{say(deny)}
				</Button>
			)}
			{!isOver && quick.machine !== undefined && <DecidedAt machine={quick.machine} />}
			{!isOver && quick.machine === undefined && state.step !== 'delayed' && state.step !== 'done' && (
				<PageLink
					ref={quick.cardRef}
					href={cardAddress(approval.approvalId)}
					title={isLong ? say('Not all of it fits here: read it on its card before you approve it') : undefined}
					className={cn(
						'inline-flex h-6 pointer-coarse:h-10 items-center justify-center rounded border border-transparent px-2 text-accent hover:bg-hover pointer-coarse:min-w-11',
						isLong && 'order-first border-accent pointer-coarse:h-11 md:min-w-18',
					)}
				>
					{say(quick.openWord)}
				</PageLink>
			)}
		</span>
	);
}

/** Longer inputs (UTF-16 units) never fit into the line. */
const MAX_CHARS = 600;

/** Fields whose values need no label. */
const PLAIN = /^(?:|command|prompt|description|(?:file_|notebook_)?path|url|query|pattern|plan)$/;

/** The question with its complete input, in a few lines. If it is cut, it can only be decided on its card. */
function AskedLine({ approval, quick: { details, setCut } }: { approval: ApprovalView; quick: QuickDecision }) {
	const say = useSay();
	const [ref, isCut] = useCut<HTMLParagraphElement>();
	const { asked, denials, review, title } = approval;
	const isAgent = asked !== undefined && denials.length > 0 && !review;
	const fields =
		details && !details.isQuestion ? fieldsOf(remainingInput(details.input, isAgent ? title : '', asked ?? '')) : [];
	const isTooLong = fields.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARS;
	useEffect(() => setCut(isCut || isTooLong), [setCut, isCut, isTooLong]);
	const head = fields.length > 0 ? reasonOf(approval, say) : headlineOf(approval, say);
	return (
		<p ref={ref} className={`${WHY_CELL} line-clamp-4 [overflow-wrap:anywhere] md:line-clamp-6`}>
			{isAgent && (
				<AgentText className="block font-medium">
					{requestSentence(approval, approval.actor ?? say('main'), say)}
				</AgentText>
			)}
			<AgentText className={isAgent ? 'text-muted' : 'font-medium'}>{head}</AgentText>
			{fields.map(({ name, text }) => (
				<span key={name} className="block">
					{!PLAIN.test(name) && <AgentText className="text-muted text-small">{`${name} `}</AgentText>}
					<AgentText className={name === 'description' ? 'text-muted' : 'whitespace-break-spaces font-mono text-mono'}>
						{text.slice(0, MAX_CHARS)}
					</AgentText>
				</span>
			))}
		</p>
	);
}

type QuickDecision = ReturnType<typeof useQuickDecision>;

/** State and actions of a question's line. The keys A and D work while the line has the focus. */
function useQuickDecision({ approval, session, overSince }: Question) {
	const { approvalId } = approval;
	const isOver = overSince !== undefined;
	const [isCut, setCut] = useState(true);
	const cardRef = useRef<HTMLAnchorElement>(null);
	const rowEvents = useRowEvents(session.sessionId, rowKeyOfApproval(approval), approval.state);
	const details = rowEvents?.events ? callDetailsOf(rowEvents.events, approvalId) : null;
	const { state, send, undo } = useDecision(approvalId, deadlineOf(approval));
	const ended = useEnded(approvalId, isOver);
	const isConnected = useConnected();
	const mayDecide = useMayDecide(approvalId);
	const stillness = useStillness<HTMLSpanElement>(`${approvalId} ${state.step}`);

	const watched = decidedOnlyAt(session.machine);
	const isOpen = !isOver && state.step !== 'done' && state.step !== 'delayed' && mayDecide && watched === undefined;
	const isFree = isOpen && isConnected && state.step !== 'sending';
	/** The question does not fit into the line, so it is decided on its card. */
	const isLong = details !== null && (details.isQuestion || isCut || isCutOff(details.input));
	const unread = whyNotApprovable(details, !isLong);

	const underWay = useUnderWay(approvalId, isOpen && session.machine !== undefined);

	const open = () => cardRef.current?.click();
	function decide(decision: 'approve' | 'deny') {
		if (!isFree || !stillness.mayPress()) return;
		if (decision === 'deny' || unread === null) return void send({ decision });
		if (isLong) open();
	}
	const refs = [
		useShortcut<HTMLElement>('approve', () => decide('approve'), isOpen),
		useShortcut<HTMLElement>('deny', () => decide('deny'), isOpen),
	];
	return {
		...{ details, state, isOver, isOpen, isLong, stillness, refs, cardRef, setCut, open, decide, undo },
		openWord: details?.isQuestion ? ('Answer' as const) : ('Open' as const),
		/** How the question ended, from the server; null until known. */
		ended: ended?.state === 'waiting' ? null : ended,
		denyBlock: isConnected ? null : NOT_CONNECTED,
		approveBlock: isConnected ? unread : NOT_CONNECTED,
		isBusy: !isFree || !stillness.isStill,
		machine: watched,
		/** At a hub: who has decided it, while the machine has not answered yet. */
		underWay,
	};
}
