'use client';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { useEffect } from 'react';
import { clockTime } from '#lib/time/clock.ts';
import { useLive } from '../live/store.ts';
import { personWords } from '../story/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { ApprovalCard } from './approval-card.tsx';
import { rowKeyOfApproval } from './ask.ts';
import { headlineOf } from './headline.ts';
import { type InboxCard, useInbox } from './use-inbox.ts';

/** The inbox: everything that waits for a person, the most urgent first. */
export function ApprovalsPage() {
	const isReady = useLive((state) => state.sessions !== null);
	const { cards, history } = useInbox();
	const { listRef, rowProps } = useRoving();
	const [wanted] = useQueryState('card', parseAsString);
	const hasWanted = cards.some(({ approval }) => approval.approvalId === wanted);

	useEffect(() => {
		if (hasWanted && wanted) document.querySelector<HTMLElement>(`[data-card="${CSS.escape(wanted)}"]`)?.focus();
	}, [hasWanted, wanted]);

	if (!isReady) return <Skeleton label="Approvals are loading" />;
	return (
		<div ref={listRef} className="mx-auto flex max-w-3xl flex-col gap-3 p-4">
			<h1 className="font-semibold text-title">Approvals</h1>
			{cards.length === 0 && (
				<p className="text-muted">
					Nothing waits for you. A denied call appears here while the agent waits for an answer.
				</p>
			)}
			<ul aria-label="Waiting" className="flex flex-col gap-3">
				{cards.map(({ sessionId, approval }, at) => (
					<li key={approval.approvalId}>
						<ApprovalCard
							sessionId={sessionId}
							approval={approval}
							rowProps={rowProps(approval.approvalId, at === 0)}
						/>
					</li>
				))}
			</ul>
			{history && history.length > 0 && <History cards={history} />}
		</div>
	);
}

function History({ cards }: { cards: InboxCard[] }) {
	return (
		<section aria-labelledby="decided">
			<h2 id="decided" className="pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				Decided
			</h2>
			<ul className="border-line border-t">
				{cards.map(({ sessionId, approval }) => (
					<li key={approval.approvalId} className="flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b">
						<span className="font-mono text-mono text-muted">
							{clockTime(approval.decidedAt ?? approval.requestedAt ?? '')}
						</span>
						<Link
							href={`/sessions/${encodeURIComponent(sessionId)}?row=${encodeURIComponent(rowKeyOfApproval(approval))}`}
							className="min-w-0 flex-1 truncate hover:underline"
						>
							<AgentText>{headlineOf(approval)}</AgentText>
						</Link>
						<AgentText className="max-w-full truncate text-muted">{personWords(approval)}</AgentText>
					</li>
				))}
			</ul>
		</section>
	);
}
