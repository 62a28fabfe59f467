'use client';
import { useEffect, useState } from 'react';
import type { ApprovalRecord } from '#lib/contract/http.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { personWords } from '../row/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';

/** What people decided before about the same question: by its fingerprint, whatever else the call says. */
export function SimilarDecisions({ approvalId }: { approvalId: string }) {
	const [similar, setSimilar] = useState<ApprovalRecord[]>([]);
	const now = useNow();
	useEffect(() => {
		let current = true;
		void callRoute('GET /api/approvals', { query: { limit: 20, similarTo: approvalId } }).then((answer) => {
			if (current && answer.ok) setSimilar(answer.data.approvals.filter(({ state }) => state !== 'waiting'));
		});
		return () => {
			current = false;
		};
	}, [approvalId]);
	if (similar.length === 0) return null;
	return (
		<details>
			<summary className="flex min-h-7 items-center text-accent">Before: {countsOf(similar)}</summary>
			<ul className="max-h-40 overflow-auto">
				{similar.map(({ id, decidedAt, requestedAt, ...record }) => (
					<li key={id} className="flex gap-3">
						<time dateTime={decidedAt ?? requestedAt} className="w-14 shrink-0 text-muted">
							{clockOrDate(decidedAt ?? requestedAt, now)}
						</time>
						<AgentText>{personWords({ approvalId: id, ...record })}</AgentText>
					</li>
				))}
			</ul>
		</details>
	);
}

/** `2 similar, 1 approved, 1 denied` */
function countsOf(similar: readonly ApprovalRecord[]): string {
	const counts = new Map<string, number>();
	for (const { state } of similar) counts.set(state, (counts.get(state) ?? 0) + 1);
	return [`${similar.length} similar`, ...[...counts].map(([state, count]) => `${count} ${state}`)].join(', ');
}
