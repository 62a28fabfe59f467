import { personWords } from '#lib/approvals/call-words.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { alarmWords } from '#lib/session/alarms.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import { useSay } from '../language/use-say.ts';
import { useSummary } from '../live/use-summaries.ts';
import { rowAddress } from '../row/addresses.ts';
import { ListPart, PastLink } from '../ui/list-part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { headlineOf, PastHead } from './approval-line.tsx';
import { rowKeyOfApproval } from './ask.ts';
import { AllowNextTry } from './grants/allow-next-try.tsx';
import type { InboxCard } from './inbox-card.ts';

interface DecidedListProps {
	title: string;
	note?: string;
	cards: readonly InboxCard[];
	/** Active and used grants: a denial that one was made for says so. */
	grants?: readonly GrantRecord[];
}

/** What was decided or lapsed, newest first; each line leads to its row in the session's story. */
export function DecidedList({ title, note, cards, grants = [] }: DecidedListProps) {
	if (cards.length === 0) return null;
	return (
		<ListPart title={title} note={note}>
			{[...cards].sort(newestFirst).map((card) => (
				<DecidedRow key={card.approval.approvalId} card={card} grant={grants.find(isFor(card))} />
			))}
		</ListPart>
	);
}

/** ISO; what nobody decided is told by when it was asked. */
const endOf = ({ decidedAt, requestedAt }: ApprovalView): string => decidedAt ?? requestedAt ?? '';
const newestFirst = (one: InboxCard, other: InboxCard) =>
	Date.parse(endOf(other.approval)) - Date.parse(endOf(one.approval));

const isFor =
	({ sessionId, approval: { approvalId, toolUseId } }: InboxCard) =>
	(grant: GrantRecord) =>
		grant.approvalId === approvalId ||
		(toolUseId !== undefined && grant.toolUseId === toolUseId && grant.sessionId === sessionId);

function DecidedRow({
	card: { sessionId, approval, alarm },
	grant,
}: {
	card: InboxCard;
	grant: GrantRecord | undefined;
}) {
	const say = useSay();
	const session = useSummary(sessionId);
	const { state } = approval;
	const at = endOf(approval);
	return (
		<li className="border-line border-b">
			<PastLink at={at} href={rowAddress(sessionId, rowKeyOfApproval(approval))}>
				<PastHead what={headlineOf(approval, say)} sessionId={sessionId} />
				<span className="col-start-2 line-clamp-3 [overflow-wrap:anywhere]">
					<span aria-hidden className={toneText[approvalTones[state]]}>
						{toneGlyph[approvalTones[state]]}{' '}
					</span>
					<AgentText>{personWords(approval, say)}</AgentText>
				</span>
				{alarm && (
					<span className="col-start-2 text-err">
						<span aria-hidden>{toneGlyph.warn} </span>
						{say(alarmWords[alarm])}
					</span>
				)}
			</PastLink>
			{(state === 'expired' || state === 'abandoned' || state === 'late') && approval.denials.length > 0 && (
				<div className="flex flex-col px-2 pb-1.5 sm:pr-0 sm:pl-[4.75rem]">
					<AllowNextTry
						source={{ approvalId: approval.approvalId }}
						denials={approval.denials}
						isOver={session?.endedAt !== undefined}
						grant={grant}
					/>
				</div>
			)}
		</li>
	);
}
