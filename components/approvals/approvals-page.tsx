'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { useEffect, useId, useMemo, useState } from 'react';
import { personWords } from '#lib/approvals/call-words.ts';
import { decisionRateOf } from '#lib/approvals/decision-rate.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { roughDuration, spanDuration } from '#lib/time/duration.ts';
import { AuditLine } from '../decisions/audit-line.tsx';
import { useSay } from '../language/use-say.ts';
import { useCan } from '../live/hub.tsx';
import { useNow } from '../live/now.ts';
import { NOT_CONNECTED, useConnected, useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { useSourceFilter } from '../row/client.tsx';
import { Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { FilterControl } from '../ui/filter-control.tsx';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Page } from '../ui/page.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { ApprovalCard } from './approval-card.tsx';
import { headlineOf } from './approval-line.tsx';
import { openCard } from './call-details.ts';
import { ActiveGrants } from './grants/active-grants.tsx';
import { useGrants } from './grants/use-grants.ts';
import { DecidedList, UnaskedList, UsedGrants } from './past-lists.tsx';
import { useStillness } from './still/use-stillness.ts';
import { SelectionContext, useSelection } from './use-selection.ts';
import { cardOf, type InboxCard, isLapsed, keepsPosition, useKeepDecided, useWaiting } from './waiting.ts';

/** Number of cards rendered at first and added each time. Every card makes a request for its background. */
const CARDS = 25;

const lastDecided = (cards: readonly InboxCard[], grants: readonly GrantRecord[]): string | undefined =>
	[
		...cards.flatMap(({ approval }) => approval.decidedAt ?? []),
		...grants.flatMap(({ createdAt, lastUse }) => [createdAt, lastUse?.at ?? createdAt]),
	]
		.sort()
		.at(-1);

/** While no card has the focus, its keys only focus the first card, so that nothing is decided by accident. */
function useFirstCardKeys(): void {
	const chooseFirst = () => {
		if (document.activeElement?.closest('[data-card]')) return;
		document.querySelector<HTMLElement>('[data-card]')?.focus();
	};
	useShortcut('approve', chooseFirst);
	useShortcut('deny', chooseFirst);
}

/** The inbox: everything that waits for a person, most urgent first. */
export function ApprovalsPage() {
	const say = useSay();
	const canAudit = useCan('health');
	const isReady = useLive((state) => state.sessions !== null);
	const inbox = useInbox();
	const known = [...inbox.cards, ...(inbox.history ?? [])];
	const { isShown, filters } = useSourceFilter(known.map(({ sessionId }) => sessionId));
	const cards = inbox.cards.filter(isShown);
	const history = inbox.history?.filter(isShown) ?? [];
	const grants = useGrants('active');
	const used = useGrants('used');
	const { listRef, rowProps } = useRoving();
	const bulk = useSelection();
	useFirstCardKeys();
	const [linkedId] = useQueryState('card', parseAsString);
	const ended = inbox.history?.find(({ approval }) => approval.approvalId === linkedId);
	const isLinked = ({ approval }: InboxCard) => approval.approvalId === linkedId;
	const hasLinked = cards.some(isLinked);
	const isFirst = (card: InboxCard) => isLinked(card) && keepsPosition(card, performance.now());
	const [drawn, setDrawn] = useState(CARDS);
	// The card in the URL comes first, so that new and growing cards move only what is below it. After its receipt has
	// expired, waiting cards come first again.
	const ordered = [...cards.filter(isFirst), ...cards.filter((card) => !isFirst(card))];

	useEffect(() => {
		if (hasLinked && linkedId) openCard(linkedId);
	}, [hasLinked, linkedId]);

	if (!isReady) return <Skeleton label={say('Approvals are loading')} />;
	return (
		<Page
			title={say('Approvals')}
			aside={
				<div className="ml-auto flex flex-wrap gap-2">
					<FilterControl isAtEnd filters={filters} />
				</div>
			}
			ref={listRef}
			className="gap-3 [overflow-wrap:anywhere]"
		>
			{ended && !hasLinked && <WantedNote approval={ended.approval} />}
			{cards.length < inbox.cards.length && (
				<p className="text-wait">
					{say('{count} more {count:waits|wait} that the filter leaves out.', {
						count: inbox.cards.length - cards.length,
					})}
				</p>
			)}
			{inbox.cards.length === 0 && (
				<p className="text-muted">
					{say(
						'Nothing waits for you. Denied calls, permission prompts and questions appear here while their agent waits for an answer.',
					)}
				</p>
			)}
			<BulkBar bulk={bulk} />
			<SelectionContext value={bulk.selection}>
				<ul aria-label={say('Waiting')} className="flex flex-col gap-3 empty:hidden">
					{ordered.slice(0, drawn).map(({ sessionId, approval }, index) => (
						<li key={approval.approvalId} className="group">
							<ApprovalCard
								sessionId={sessionId}
								approval={approval}
								rowProps={rowProps(approval.approvalId, index === 0)}
							/>
						</li>
					))}
				</ul>
			</SelectionContext>
			{cards.length > drawn && (
				<p className="flex flex-wrap items-center gap-x-2 text-muted">
					{say('The {drawn} most urgent of {all} are shown.', { drawn, all: cards.length })}
					<Button size="small" onClick={() => setDrawn(drawn + CARDS)}>
						{say('Show {count} more', { count: Math.min(CARDS, cards.length - drawn) })}
					</Button>
				</p>
			)}
			<UnaskedList />
			{grants && <ActiveGrants grants={grants} />}
			<DecidedList
				title={say('Not decided')}
				note={say('Nobody answered in time. Denials stand; the terminal still asks.')}
				cards={history.filter(({ approval }) => isLapsed(approval))}
				grants={[...(grants ?? []), ...(used ?? [])]}
			/>
			<DecidedList title={say('Decided')} cards={history.filter(({ approval }) => !isLapsed(approval))} />
			{used && <UsedGrants grants={used} />}
			{inbox.history && <DecisionRate cards={inbox.history} />}
			{/* Hubs do not prove journals: each machine proves its own. */}
			{canAudit && <AuditLine decidedAt={lastDecided(known, [...(grants ?? []), ...(used ?? [])])} />}
		</Page>
	);
}

function BulkBar({ bulk }: { bulk: ReturnType<typeof useSelection> }) {
	const say = useSay();
	const { selection, result, isBusy, decideAll, clear } = bulk;
	const count = selection.chosen.size;
	const isConnected = useConnected();
	const whyId = useId();
	const stillness = useStillness<HTMLElement>([...selection.chosen].join(' '));
	const press = (decision: 'approve' | 'deny') => {
		if (stillness.mayPress()) void decideAll(decision);
	};
	const act = {
		disabled: isBusy || !isConnected || !stillness.isStill,
		'aria-describedby': isConnected ? undefined : whyId,
	};
	if (count === 0 && !result) return null;
	return (
		<section
			ref={stillness.ref}
			aria-label={say('Chosen together')}
			className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border border-line bg-raised px-3 py-1.5"
		>
			{count > 0 && (
				<>
					<span className="flex-1">{say('{count} chosen', { count })}</span>
					<Button size="small" kind="primary" {...act} onClick={() => press('approve')}>
						{say('Approve {count}', { count })}
					</Button>
					<Button size="small" kind="danger" {...act} onClick={() => press('deny')}>
						{say('Deny {count}', { count })}
					</Button>
					<Button size="small" kind="quiet" onClick={clear}>
						{say('Clear')}
					</Button>
					{!isConnected && (
						<p id={whyId} className="basis-full text-warn">
							{say(NOT_CONNECTED)}
						</p>
					)}
				</>
			)}
			{result && (
				<div role="status" className="basis-full">
					<p>
						{result.decision === 'approve'
							? say('{count} approved', { count: result.done })
							: say('{count} denied', { count: result.done })}
						{result.left.length > 0 && say(', {count} not:', { count: result.left.length })}
					</p>
					{result.left.map((why, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the sentences of one result keep their order.
						<p key={index} className="text-warn">
							{say.known(why)}
						</p>
					))}
				</div>
			)}
		</section>
	);
}

/** Below this number of decisions, a rate is not meaningful. */
const MIN_DECISIONS = 5;

function DecisionRate({ cards }: { cards: readonly InboxCard[] }) {
	const say = useSay();
	const now = useNow();
	const rate = decisionRateOf(
		cards.map(({ approval }) => approval),
		now,
	);
	if (!rate || rate.decided < MIN_DECISIONS) return null;
	const { decided, approveRate, medianMs, lastHour, isRubberStamp } = rate;
	const median = (medianMs < 60_000 ? spanDuration : roughDuration)(medianMs, say.language);
	return (
		<p className="text-muted text-small">
			{say(
				'Of the last {decided} decided {share} % approved, in {median} at the median; {lastHour} in the last hour.',
				{ decided, share: Math.round(approveRate * 100), median, lastHour },
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

const HISTORY = 50;

/** Waiting approvals, those that ended while the page was open (kept in place), and earlier decisions. */
function useInbox(): { cards: InboxCard[]; history: InboxCard[] | null } {
	const waiting = useWaiting({ withReviews: true });
	const questions = useMemo(
		() => waiting.map(({ approval, session }): InboxCard => ({ approval, sessionId: session.sessionId })),
		[waiting],
	);
	const shown = useKeepDecided(questions, Number.POSITIVE_INFINITY);
	const version = waiting.map(({ approval }) => approval.approvalId).join(' ');
	const { data } = useRoute('GET /api/approvals', { query: { limit: HISTORY } }, { version });
	const records = useMemo(() => data?.approvals.map(cardOf), [data]);

	const known = new Map(records?.map((card) => [card.approval.approvalId, card]));
	const kept = new Set(shown.map(({ approval }) => approval.approvalId));
	const cards = shown.map(({ overSince, ...card }) =>
		overSince === undefined ? card : { ...(known.get(card.approval.approvalId) ?? card), overSince },
	);
	const isPast = ({ approval }: InboxCard) =>
		!kept.has(approval.approvalId) && approval.state !== 'waiting' && !isSelfEnded(approval);
	return { cards, history: records?.filter(isPast) ?? null };
}

/** A review that ended without a decision by a person. It does not count as missed. */
const isSelfEnded = ({ review, by }: ApprovalView) => review !== undefined && !review.isOver && by === undefined;

function WantedNote({ approval }: { approval: ApprovalView }) {
	const say = useSay();
	return (
		<p role="status" className="rounded border border-line p-3">
			{say('The call that you were led to no longer waits:')}{' '}
			<AgentText>{`${headlineOf(approval, say)}${say('; ')}${personWords(approval, say)}${say('.')}`}</AgentText>
		</p>
	);
}
