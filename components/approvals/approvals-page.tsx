'use client';
import { parseAsString, useQueryState } from 'nuqs';
import { useEffect, useState } from 'react';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { AuditLine } from '../decisions/audit/audit-line.tsx';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useCan } from '../live/hub.tsx';
import { useLive } from '../live/store.ts';
import { MakeFilter } from '../row/agent/make-filter.tsx';
import { useOfMake } from '../row/agent/use-of-make.ts';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { ApprovalCard } from './approval-card.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { DecidedList } from './decided-list.tsx';
import { ActiveGrants } from './grants/active-grants.tsx';
import { useGrants } from './grants/use-grants.ts';
import { UsedGrants } from './grants/used-grants.tsx';
import { type InboxCard, isLapsed } from './inbox-card.ts';
import { keepsPosition } from './linger.ts';
import { openCard } from './open-card.ts';
import { PaceLine } from './pace-line.tsx';
import { SelectionContext } from './selection.ts';
import { UnaskedList } from './unasked-list.tsx';
import { useInbox } from './use-inbox.ts';
import { useSelection } from './use-selection.ts';
import { WantedNote } from './wanted-note.tsx';

/** So many cards are drawn at first, and so many more each time: each asks the server for what led to it. */
const CARDS = 25;

/** ISO; undefined while nothing was decided. */
const lastDecided = (cards: readonly InboxCard[], grants: readonly GrantRecord[]): string | undefined =>
	[
		...cards.flatMap(({ approval }) => approval.decidedAt ?? []),
		...grants.flatMap(({ createdAt, lastUse }) => [createdAt, lastUse?.at ?? createdAt]),
	]
		.sort()
		.at(-1);

/** Without a card in focus its keys only put the focus on the first: nothing is decided that was not chosen. */
function useFirstCardKeys(): void {
	const chooseFirst = () => {
		if (document.activeElement?.closest('[data-card]')) return;
		document.querySelector<HTMLElement>('[data-card]')?.focus();
	};
	useShortcut('approve', chooseFirst);
	useShortcut('deny', chooseFirst);
}

/** The inbox: everything that waits for a person, the most urgent first. */
export function ApprovalsPage() {
	const say = useSay();
	const canAudit = useCan('GET /api/audit');
	const isReady = useLive((state) => state.sessions !== null);
	const inbox = useInbox();
	const cards = useOfMake(inbox.cards);
	const history = useOfMake(inbox.history ?? []);
	const grants = useGrants('active');
	const used = useGrants('used');
	const { listRef, rowProps } = useRoving();
	const bulk = useSelection();
	useFirstCardKeys();
	const [wanted] = useQueryState('card', parseAsString);
	const ended = inbox.history?.find(({ approval }) => approval.approvalId === wanted);
	const isWanted = ({ approval }: InboxCard) => approval.approvalId === wanted;
	const hasWanted = cards.some(isWanted);
	const isFirst = (card: InboxCard) => isWanted(card) && keepsPosition(card, performance.now());
	const [drawn, setDrawn] = useState(CARDS);
	// The card that an address leads to stands first: whatever comes, goes or grows moves only what is below it. Once its
	// receipt has been read, what waits stands above it again.
	const ordered = [...cards.filter(isFirst), ...cards.filter((card) => !isFirst(card))];

	useEffect(() => {
		if (hasWanted && wanted) openCard(wanted);
	}, [hasWanted, wanted]);

	if (!isReady) return <Skeleton label={say('Approvals are loading')} />;
	return (
		<div ref={listRef} className="mx-auto flex max-w-3xl flex-col gap-3 p-4 [overflow-wrap:anywhere]">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h1 className="font-semibold text-title">{say('Approvals')}</h1>
				<MakeFilter />
			</div>
			{ended && !hasWanted && <WantedNote approval={ended.approval} />}
			{cards.length < inbox.cards.length && (
				<p className="text-wait">
					{say('{count} more {count:waits|wait}, of other clients.', {
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
			{cards.length > 0 && (
				<p className="text-muted pointer-coarse:hidden">
					<Phrase
						of="{next} and {previous} choose a card; {approve} approves and {deny} denies the one that has the focus."
						with={{ next: <Kbd>j</Kbd>, previous: <Kbd>k</Kbd>, approve: <Kbd>A</Kbd>, deny: <Kbd>D</Kbd> }}
					/>
				</p>
			)}
			<BulkBar bulk={bulk} />
			<SelectionContext value={bulk.selection}>
				<ul aria-label={say('Waiting')} className="flex flex-col gap-3 empty:hidden">
					{ordered.slice(0, drawn).map(({ sessionId, approval }, at) => (
						<li key={approval.approvalId}>
							<ApprovalCard
								sessionId={sessionId}
								approval={approval}
								rowProps={rowProps(approval.approvalId, at === 0)}
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
				note={say('Denials stand, prompts are left to the terminal. An operator can allow a denied agent’s next try.')}
				cards={history.filter(({ approval }) => isLapsed(approval))}
				grants={[...(grants ?? []), ...(used ?? [])]}
			/>
			<DecidedList title={say('Decided')} cards={history.filter(({ approval }) => !isLapsed(approval))} />
			{used && <UsedGrants grants={used} />}
			{inbox.history && <PaceLine cards={inbox.history} />}
			{/* A hub has each machine's journal; the proofs are the machine's. */}
			{canAudit && (
				<AuditLine
					decidedAt={lastDecided([...inbox.cards, ...(inbox.history ?? [])], [...(grants ?? []), ...(used ?? [])])}
				/>
			)}
		</div>
	);
}
