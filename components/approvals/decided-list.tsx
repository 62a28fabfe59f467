'use client';
import Link from 'next/link';
import type { Tone } from '#lib/contract/event-labels.ts';
import type { ApprovalView } from '#lib/session/call.ts';
import { clockOrDate, clockTime } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { placeOf } from '../sessions/session-row.tsx';
import { personWords } from '../story/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { rowKeyOfApproval } from './ask.ts';
import { headlineOf } from './headline.ts';
import type { InboxCard } from './use-inbox.ts';

/** What was decided or lapsed, newest first; each line leads to its row in the session's story. */
export function DecidedList({ cards }: { cards: readonly InboxCard[] }) {
	return (
		<section aria-labelledby="decided">
			<h2 id="decided" className="pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				Decided
			</h2>
			<ul className="border-line border-t">
				{cards.map((card) => (
					<DecidedRow key={card.approval.approvalId} card={card} />
				))}
			</ul>
		</section>
	);
}

const tones: Record<ApprovalView['state'], Tone> = {
	...{ waiting: 'wait', approved: 'ok', denied: 'err', answered: 'ok', expired: 'warn', abandoned: 'warn' },
};
const ways = { browser: 'in the browser', token: 'with a token' } as const;

function DecidedRow({ card: { sessionId, approval } }: { card: InboxCard }) {
	const now = useNow();
	const session = useLive(({ sessions }) => sessions?.[sessionId]);
	const { state, by } = approval;
	const at = approval.decidedAt ?? approval.requestedAt ?? '';
	return (
		<li className="border-line border-b">
			<Link
				href={`/sessions/${encodeURIComponent(sessionId)}?row=${encodeURIComponent(rowKeyOfApproval(approval))}`}
				prefetch={false}
				className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover"
			>
				<time dateTime={at} title={clockTime(at)} className="text-muted">
					{clockOrDate(at, now)}
				</time>
				<span className="flex flex-wrap gap-x-3">
					<AgentText className="min-w-0 max-w-full truncate font-medium">{headlineOf(approval)}</AgentText>
					<AgentText className="min-w-0 max-w-full truncate text-muted">
						{[placeOf(session?.project, session?.branch, sessionId), by && ways[by.via]].filter(Boolean).join(' · ')}
					</AgentText>
				</span>
				<span className="col-start-2 line-clamp-2 [overflow-wrap:anywhere]">
					<span aria-hidden className={toneText[tones[state]]}>
						{toneGlyph[tones[state]]}{' '}
					</span>
					<AgentText>{personWords(approval)}</AgentText>
				</span>
			</Link>
		</li>
	);
}
