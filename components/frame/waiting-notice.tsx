'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { placeOf } from '#lib/session/session-list.ts';
import { headlineOf } from '../approvals/headline.ts';
import { TimeLeft } from '../approvals/time-left.tsx';
import { useWaiting } from '../approvals/use-waiting.ts';
import { deadlineOf, type WaitingApproval } from '../approvals/waiting.ts';
import { useSay } from '../language/use-say.ts';
import { rowAddress } from '../row/row-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** One quiet line on pages that do not themselves show what waits: the most urgent, and how many more. */
export function WaitingNotice() {
	const say = useSay();
	const path = usePathname();
	const waiting = useWaiting();
	const [first] = waiting;
	if (!first || isShownOn(path, first)) return null;
	const { approval, session } = first;
	const more = waiting.length - 1;
	return (
		<aside
			aria-label={say('Waiting for you')}
			className="flex h-8 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 text-muted print:hidden"
		>
			<span aria-hidden className="text-wait">
				◆
			</span>
			<span className="flex min-w-0 gap-2">
				<AgentText className="truncate text-text">{headlineOf(approval, say)}</AgentText>
				<AgentText className="hidden truncate sm:inline">
					{`· ${placeOf(session.project, session.branch, session.sessionId, session.machine)}`}
				</AgentText>
			</span>
			{Number.isFinite(deadlineOf(approval)) && (
				<span className="whitespace-nowrap text-wait">
					· <TimeLeft approval={approval} />
				</span>
			)}
			<Link
				href={`/approvals?card=${encodeURIComponent(approval.approvalId)}`}
				className="ml-auto inline-flex h-6 items-center whitespace-nowrap rounded px-2 text-accent hover:bg-hover"
			>
				{more > 0 ? say('Review ({more} more)', { more }) : say('Review')}
			</Link>
		</aside>
	);
}

/** The list and the inbox begin with all that waits; a session's page has a strip of its own. */
function isShownOn(path: string, { session }: WaitingApproval): boolean {
	return path === '/' || path === '/approvals' || path === rowAddress(session.sessionId);
}
