'use client';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { useWaiting } from '../approvals/use-waiting.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { SessionFacts } from '../session/session-facts.tsx';

const ApprovalCard = dynamic(() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard));

const NO_APPROVALS: readonly ApprovalView[] = [];

/** What the detail pane tells before a row is chosen: what waits for the reader, then what the session is. */
export function NoRow({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const { isLive } = useSessionSource();
	const asked = useAsked(sessionId);
	const cards = isLive ? asked : [];
	return (
		<div className="flex flex-col gap-3 p-4">
			{cards.map((approval) => (
				<ApprovalCard key={approval.approvalId} sessionId={sessionId} approval={approval} />
			))}
			<SessionFacts sessionId={sessionId} />
			{cards.length === 0 && (
				<p className="text-muted">{say('Select a row to see its input, verdicts and outcome.')}</p>
			)}
		</div>
	);
}

/** What this session asks; a decided question stays while the reader does, so that its result is seen. */
function useAsked(sessionId: string): ApprovalView[] {
	const approvals = useSession(sessionId, ({ view }) => view?.approvals) ?? NO_APPROVALS;
	const [seen, setSeen] = useState<readonly string[]>([]);
	const waiting = useWaiting(true)
		.filter(({ session }) => session.sessionId === sessionId)
		.map(({ approval }) => approval.approvalId);
	const ids = waiting.join(' ');
	useEffect(() => {
		if (ids !== '') setSeen((before) => [...new Set([...before, ...ids.split(' ')])]);
	}, [ids]);
	return approvals.filter(({ approvalId }) => waiting.includes(approvalId) || seen.includes(approvalId));
}
