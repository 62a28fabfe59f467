'use client';

import { useEffect, useState } from 'react';
import { callRoute } from '../live/call-route.ts';
import { cardOf } from './inbox-card.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';

/** What became of a question that is over; null while it is open, and until it is known. */
export function useEnded(approvalId: string, isOver: boolean): ApprovalView | null {
	const [ended, setEnded] = useState<ApprovalView | null>(null);
	useEffect(() => {
		setEnded(null);
		if (!isOver) return;
		let current = true;
		void callRoute('GET /api/approvals/:id', { params: { id: approvalId } }).then((answer) => {
			if (current && answer.ok) setEnded(cardOf(answer.data.approval).approval);
		});
		return () => {
			current = false;
		};
	}, [approvalId, isOver]);
	return ended;
}
