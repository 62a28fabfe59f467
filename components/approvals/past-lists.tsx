import { useEffect, useState } from 'react';
import { deciderWords, personWords } from '#lib/approvals/call-words.ts';
import type { UnaskedDenial } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { printsOf } from '#lib/grants/covers.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import { alarmWords } from '#lib/session/judgement.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { roughDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { useSummary } from '../live/session-pages.ts';
import { rowAddress } from '../row/addresses.ts';
import { useSourceFilter } from '../row/client.tsx';
import { Button } from '../ui/button.tsx';
import { Part } from '../ui/part.tsx';
import { PastLink } from '../ui/past-link.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ToneGlyph, toneGlyph } from '../ui/tone.tsx';
import { headlineOf, PastHead } from './approval-line.tsx';
import { rowKeyOfApproval } from './call-details.ts';
import { AllowNextTry } from './grants/allow-next-try.tsx';
import { UNASKED_ANCHOR, useUnasked } from './use-unasked.ts';
import type { InboxCard } from './waiting.ts';

const FIRST = 5;

const keyOf = ({ sessionId, denials, toolUseId, eventId }: UnaskedDenial) =>
	`${sessionId} ${printsOf({ denials }) ?? toolUseId ?? eventId}`;

/** Calls denied while no one was asked, for a person who comes back. An operator may allow their next try. */
export function UnaskedList() {
	const say = useSay();
	const unasked = useUnasked();
	const { isShown } = useSourceFilter(unasked.map(({ sessionId }) => sessionId));
	const listed = unasked.filter(isShown);
	// Calls allowed from this list stay in it, with the result.
	const [allowed, setAllowed] = useState<ReadonlyMap<string, UnaskedDenial>>(new Map());
	const [isWhole, setWhole] = useState(false);
	const isRead = listed.length > 0;
	// The list loads after the page, too late for the browser to scroll to the anchor itself.
	useEffect(() => {
		if (isRead && location.hash === `#${UNASKED_ANCHOR}`) document.getElementById(UNASKED_ANCHOR)?.scrollIntoView();
	}, [isRead]);
	const all = [...new Map([...allowed, ...listed.map((denial) => [keyOf(denial), denial] as const)])].sort(
		([, a], [, b]) => (a.at < b.at ? 1 : -1),
	);
	if (all.length === 0) return null;
	const more = all.length - FIRST;
	return (
		<Part
			isList
			className="pt-4"
			title={say('Denied, and no one was asked')}
			anchor={UNASKED_ANCHOR}
			note={say(
				'No operator was here, or the gate asks nobody, so the agent got its denial at once. An operator can allow its next try.',
			)}
		>
			{(isWhole ? all : all.slice(0, FIRST)).map(([key, denial]) => (
				<UnaskedRow
					key={key}
					denial={denial}
					onAllowed={() => setAllowed((before) => new Map(before).set(key, denial))}
				/>
			))}
			{more > 0 && !isWhole && (
				<li className="py-1.5">
					<Button size="small" onClick={() => setWhole(true)}>
						{say('Show {count} older {count:denial|denials}', { count: more })}
					</Button>
				</li>
			)}
		</Part>
	);
}

function UnaskedRow({ denial, onAllowed }: { denial: UnaskedDenial; onAllowed: () => void }) {
	const say = useSay();
	const { sessionId, toolUseId, eventId, denials, form, at, ended } = denial;
	const row = toolUseId === undefined ? `event:${eventId}` : `call:${toolUseId}`;
	const source = { sessionId, ...(toolUseId === undefined ? { eventId } : { toolUseId }) };
	return (
		<li className="border-line border-b">
			<PastLink at={at} href={rowAddress(sessionId, row)}>
				<PastHead what={callWords(denial)} sessionId={sessionId} />
				{denials.map(({ gate, rule, reason }) => (
					<span key={`${gate} ${rule}`} className="col-start-2 [overflow-wrap:anywhere]">
						<span className="line-clamp-3">
							<ToneGlyph tone="err" />
							<AgentText>{say('denied: {reason}', { reason })}</AgentText>
						</span>
						<span className="block text-muted text-small" title={visibleString(rule)}>
							<AgentText>{say('by the rule: {rule}', { rule: say.known(gateSentence(gate)) })}</AgentText>
						</span>
					</span>
				))}
				<span className="col-start-2 text-muted text-small">
					<AgentText>{say('called by {agent}', { agent: denial.actor ?? say('main') })}</AgentText> · <Age at={at} />
					{denial.count > 1 && say(' · {count} times', { count: denial.count })}
					{ended && say(' · session ended')}
				</span>
			</PastLink>
			<div className="flex flex-col px-2 pb-1.5 sm:pr-0 sm:pl-[5.25rem]">
				<AllowNextTry source={source} denials={denials} form={form} isOver={ended} onMade={onAllowed} />
			</div>
		</li>
	);
}

function Age({ at }: { at: string }) {
	const say = useSay();
	const ago = useClock((now) =>
		now === 0 ? '' : say('{time} ago', { time: roughDuration(now - Date.parse(at), say.language) }),
	);
	return <time dateTime={at}>{ago}</time>;
}

function callWords({ tool, asked, title, denials }: UnaskedDenial): string {
	const name = asked === undefined ? tool : `${tool} → ${asked}`;
	if (name === '') return denials[0]?.reason ?? '';
	return title === '' ? name : `${name} “${title}”`;
}

interface DecidedListProps {
	title: string;
	note?: string;
	cards: readonly InboxCard[];
	/** Active and used grants. A denial with a grant shows it. */
	grants?: readonly GrantRecord[];
}

export function DecidedList({ title, note, cards, grants = [] }: DecidedListProps) {
	if (cards.length === 0) return null;
	return (
		<Part isList className="pt-4" title={title} note={note}>
			{cards.toSorted(newestFirst).map((card) => (
				<DecidedRow key={card.approval.approvalId} card={card} grant={grants.find(isFor(card))} />
			))}
		</Part>
	);
}

/** ISO time of the decision, or of the request if no one decided. */
const lastChangeAt = ({ decidedAt, requestedAt }: ApprovalView): string => decidedAt ?? requestedAt ?? '';
const newestFirst = (one: InboxCard, other: InboxCard) =>
	Date.parse(lastChangeAt(other.approval)) - Date.parse(lastChangeAt(one.approval));

const isFor =
	({ sessionId, approval: { approvalId, toolUseId } }: InboxCard) =>
	(grant: GrantRecord) =>
		grant.approvalId === approvalId ||
		(toolUseId !== undefined && grant.toolUseId === toolUseId && grant.sessionId === sessionId);

function DecidedRow({ card, grant }: { card: InboxCard; grant: GrantRecord | undefined }) {
	const say = useSay();
	const { sessionId, approval, alarm } = card;
	const session = useSummary(sessionId);
	const { state } = approval;
	const at = lastChangeAt(approval);
	return (
		<li className="border-line border-b">
			<PastLink at={at} href={rowAddress(sessionId, rowKeyOfApproval(approval))}>
				<PastHead what={headlineOf(approval, say)} sessionId={sessionId} />
				<span
					className="col-start-2 line-clamp-3 [overflow-wrap:anywhere]"
					title={approval.by && deciderWords(approval.by, say)}
				>
					<ToneGlyph tone={approvalTones[state]} />
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
				<div className="flex flex-col px-2 pb-1.5 sm:pr-0 sm:pl-[5.25rem]">
					<AllowNextTry
						source={{ approvalId: approval.approvalId }}
						denials={approval.denials}
						isOver={session?.endedAt !== undefined}
						grant={grant}
						machine={session?.machine}
					/>
				</div>
			)}
		</li>
	);
}
