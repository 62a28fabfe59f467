'use client';
import Link from 'next/link';
import { useId } from 'react';
import type { Tone } from '#lib/contract/event-labels.ts';
import type { ApprovalView } from '#lib/session/call.ts';
import { addressPart } from '#lib/text/well-formed.ts';
import { clockOrDate, clockTime } from '#lib/time/clock.ts';
import { AllowNextTry } from '../grants/allow-next-try.tsx';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { placeOf } from '../sessions/session-row.tsx';
import { personWords } from '../story/call-words.ts';
import { AgentText } from '../text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { rowKeyOfApproval } from './ask.ts';
import { headlineOf } from './headline.ts';
import type { InboxCard } from './use-inbox.ts';

interface DecidedListProps {
	title: string;
	note?: string;
	cards: readonly InboxCard[];
}

/** What was decided or lapsed, newest first; each line leads to its row in the session's story. */
export function DecidedList({ title, note, cards }: DecidedListProps) {
	const id = useId();
	if (cards.length === 0) return null;
	return (
		<section aria-labelledby={id}>
			<h2 id={id} className="pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{title}
			</h2>
			{note && <p className="pb-1 text-muted">{note}</p>}
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

function DecidedRow({ card: { sessionId, approval } }: { card: InboxCard }) {
	const now = useNow();
	const session = useLive(({ sessions }) => sessions?.[sessionId]);
	const { state } = approval;
	const at = approval.decidedAt ?? approval.requestedAt ?? '';
	return (
		<li className="border-line border-b">
			<Link
				href={`/sessions/${encodeURIComponent(sessionId)}?row=${addressPart(rowKeyOfApproval(approval))}`}
				prefetch={false}
				className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover"
			>
				<time dateTime={at} title={clockTime(at)} className="text-muted">
					{clockOrDate(at, now)}
				</time>
				<span className="flex flex-wrap gap-x-3">
					<AgentText className="min-w-0 max-w-full truncate font-medium">{headlineOf(approval)}</AgentText>
					<AgentText className="min-w-0 max-w-full truncate text-muted">
						{placeOf(session?.project, session?.branch, sessionId)}
					</AgentText>
				</span>
				<span className="col-start-2 line-clamp-3 [overflow-wrap:anywhere]">
					<span aria-hidden className={toneText[tones[state]]}>
						{toneGlyph[tones[state]]}{' '}
					</span>
					<AgentText>{personWords(approval)}</AgentText>
				</span>
			</Link>
			{(state === 'expired' || state === 'abandoned') && approval.denials.length > 0 && (
				<div className="flex flex-col pb-1.5 pl-[4.75rem]">
					<AllowNextTry source={{ approvalId: approval.approvalId }} denials={approval.denials} />
				</div>
			)}
		</li>
	);
}
