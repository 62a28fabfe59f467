'use client';
import { useEffect, useState } from 'react';
import { personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { Message, Say } from '#lib/messages/say.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** What people decided before about the same question: by its fingerprint, whatever else the call says. */
export function SimilarDecisions({ approvalId }: { approvalId: string }) {
	const say = useSay();
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
			<summary className="flex min-h-7 items-center text-accent">
				{say('Before: {counts}', { counts: countsOf(similar, say) })}
			</summary>
			<ul className="max-h-40 overflow-auto">
				{similar.map(({ id, decidedAt, requestedAt, ...record }) => (
					<li key={id} className="flex gap-3">
						<time dateTime={decidedAt ?? requestedAt} className="w-14 shrink-0 text-muted">
							{clockOrDate(decidedAt ?? requestedAt, now, say.language)}
						</time>
						<AgentText>{personWords({ approvalId: id, ...record }, say)}</AgentText>
					</li>
				))}
			</ul>
		</details>
	);
}

const stateCounts = {
	waiting: '{count} waiting',
	approved: '{count} approved',
	denied: '{count} denied',
	answered: '{count} answered',
	expired: '{count} expired',
	abandoned: '{count} abandoned',
	late: '{count} approved too late',
} as const satisfies Record<ApprovalRecord['state'], Message>;

/** `2 similar, 1 approved, 1 denied` */
function countsOf(similar: readonly ApprovalRecord[], say: Say): string {
	const counts = new Map<ApprovalRecord['state'], number>();
	for (const { state } of similar) counts.set(state, (counts.get(state) ?? 0) + 1);
	const parts = [...counts].map(([state, count]) => say(stateCounts[state], { count }));
	return [say('{count} similar', { count: similar.length }), ...parts].join(say(', '));
}
