'use client';
import { useEffect, useState } from 'react';
import type { ApprovalView } from '#lib/session/call.ts';
import { getApprovals } from '../live/api.ts';
import { cardOf, type InboxCard } from './inbox-card.ts';
import { useWaiting } from './use-waiting.ts';
import { deadlineOf } from './waiting.ts';

const HISTORY = 50;

/** What waits, with the cards that ended while the page was open kept in place, and what was decided before. */
export function useInbox(): { cards: InboxCard[]; history: InboxCard[] | null } {
	const waiting = useWaiting(true);
	const [kept, setKept] = useState<ReadonlyMap<string, InboxCard>>(new Map());
	const [records, setRecords] = useState<InboxCard[] | null>(null);
	const ids = waiting.map(({ approval }) => approval.approvalId).join(' ');

	// biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the list, which is new with each word of a session.
	useEffect(() => {
		setKept((before) => {
			const fresh = waiting.map(
				({ approval, session }) => [approval.approvalId, { approval, sessionId: session.sessionId }] as const,
			);
			return new Map([...before, ...fresh]);
		});
		let current = true;
		void getApprovals(HISTORY).then((answer) => {
			if (current && answer.ok) setRecords(answer.data.approvals.map(cardOf));
		});
		return () => {
			current = false;
		};
	}, [ids]);

	const known = new Map(records?.map((card) => [card.approval.approvalId, card]));
	const open = new Set(ids.split(' '));
	const cards = [...kept.values()]
		.map((card) => (open.has(card.approval.approvalId) ? card : (known.get(card.approval.approvalId) ?? card)))
		.sort((a, b) => deadlineOf(a.approval) - deadlineOf(b.approval));
	const history =
		records?.filter(
			({ approval }) => !kept.has(approval.approvalId) && approval.state !== 'waiting' && !isSelfEnded(approval),
		) ?? null;
	return { cards, history };
}

/** A review that came to its end by itself: nobody decided anything, and nothing was missed. */
const isSelfEnded = ({ review, by }: ApprovalView) => review !== undefined && !review.isOver && by === undefined;
