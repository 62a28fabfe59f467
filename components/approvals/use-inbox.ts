'use client';
import { useEffect, useMemo, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { callRoute } from '../live/call-route.ts';
import { cardOf, type InboxCard } from './inbox-card.ts';
import { useLingering } from './use-questions.ts';
import { useWaiting } from './use-waiting.ts';

const HISTORY = 50;

/** What waits, with the cards that ended while the page was open kept in place, and what was decided before. */
export function useInbox(): { cards: InboxCard[]; history: InboxCard[] | null } {
	const waiting = useWaiting(true);
	const [records, setRecords] = useState<InboxCard[] | null>(null);
	const asked = useMemo(
		() => waiting.map(({ approval, session }): InboxCard => ({ approval, sessionId: session.sessionId })),
		[waiting],
	);
	const shown = useLingering(asked, Number.POSITIVE_INFINITY);
	const ids = waiting.map(({ approval }) => approval.approvalId).join(' ');

	// biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the list, which is new with each word of a session.
	useEffect(() => {
		let current = true;
		void callRoute('GET /api/approvals', { query: { limit: HISTORY } }).then((answer) => {
			if (current && answer.ok) setRecords(answer.data.approvals.map(cardOf));
		});
		return () => {
			current = false;
		};
	}, [ids]);

	const known = new Map(records?.map((card) => [card.approval.approvalId, card]));
	const kept = new Set(shown.map(({ approval }) => approval.approvalId));
	const cards = shown.map(({ overSince, ...card }) =>
		overSince === undefined ? card : { ...(known.get(card.approval.approvalId) ?? card), overSince },
	);
	const history =
		records?.filter(
			({ approval }) => !kept.has(approval.approvalId) && approval.state !== 'waiting' && !isSelfEnded(approval),
		) ?? null;
	return { cards, history };
}

/** A review that came to its end by itself: nobody decided anything, and nothing was missed. */
const isSelfEnded = ({ review, by }: ApprovalView) => review !== undefined && !review.isOver && by === undefined;
