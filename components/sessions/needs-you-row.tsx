'use client';
import Link from 'next/link';
import { DecisionButtons } from '../approvals/decision-buttons.tsx';
import { headlineOf } from '../approvals/headline.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import type { WaitingApproval } from '../approvals/waiting.ts';
import { AgentText } from '../text/agent-text.tsx';
import { placeOf } from './place-of.ts';

/** An open approval as one line, decidable on the spot. */
export function NeedsYouRow({ waiting }: { waiting: WaitingApproval }) {
	const { approval, session } = waiting;
	return (
		<li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
			<span className="inline-flex shrink-0 items-center gap-1.5 text-wait md:w-22">
				<span aria-hidden className="w-3 text-center">
					◆
				</span>
				<span className="hidden md:inline">Asks you</span>
			</span>
			<AgentText className="max-w-full truncate font-medium md:w-44">
				{placeOf(session.project, session.branch, session.sessionId)}
			</AgentText>
			{session.title && (
				<AgentText className="min-w-0 max-w-full truncate text-muted md:max-w-60">{`“${session.title}”`}</AgentText>
			)}
			<AgentText className="min-w-40 flex-1 truncate">{headlineOf(approval)}</AgentText>
			<span className="text-wait">
				waiting, <TimeLeft approval={approval} />
			</span>
			<DecisionButtons sessionId={session.sessionId} approval={approval} />
			<Link
				href={`/approvals?card=${encodeURIComponent(approval.approvalId)}`}
				className="inline-flex h-6 items-center rounded px-2 text-accent hover:bg-hover"
			>
				Open
			</Link>
		</li>
	);
}
