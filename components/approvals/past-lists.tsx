import type { Route } from 'next';
import { type ReactNode, useEffect, useState } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import { deciderName, deciderWords, personWords } from '#lib/approvals/call-words.ts';
import type { UnaskedDenial } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { fingerprintsOf } from '#lib/grants/covers.ts';
import type { Say } from '#lib/messages/say.ts';
import { approvalTones } from '#lib/session/fold-approval.ts';
import { alarmWords } from '#lib/session/judgement.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { useSummary } from '../live/session-pages.ts';
import { rowAddress } from '../row/addresses.ts';
import { ClientMark, useSourceFilter } from '../row/client.tsx';
import { Button } from '../ui/button.tsx';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned, ToneGlyph } from '../ui/tone.tsx';
import { When } from '../ui/when.tsx';
import { capital, headlineOf, reasonOf } from './approval-line.tsx';
import { rowKeyOfApproval } from './call-details.ts';
import { AllowNextTry } from './grants/allow-next-try.tsx';
import { UNASKED_ANCHOR, useUnasked } from './use-unasked.ts';
import type { InboxCard } from './waiting.ts';

const FIRST = 5;
const MAX_GRANTS = 50;

const keyOf = ({ sessionId, denials, toolUseId, eventId }: UnaskedDenial) =>
	`${sessionId} ${fingerprintsOf({ denials }) ?? toolUseId ?? eventId}`;

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
			note={say('No operator was here, or its rule asks nobody.')}
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
	const { sessionId, toolUseId, eventId, denials, form, at, ended, actor, count } = denial;
	const row = toolUseId === undefined ? `event:${eventId}` : `call:${toolUseId}`;
	const source = { sessionId, ...(toolUseId === undefined ? { eventId } : { toolUseId }) };
	const rest = [actor, count > 1 && say('{count} times', { count })];
	return (
		<PastRow
			{...{ at, sessionId }}
			href={rowAddress(sessionId, row)}
			what={pastName(denial)}
			action={<AllowNextTry source={source} denials={denials} form={form} isOver={ended} onMade={onAllowed} />}
		>
			{denials.map((each) => (
				<span key={`${each.gate} ${each.rule}`} title={visibleString(each.rule)}>
					<ToneGlyph tone="err" />
					<AgentText>{reasonOf({ ...denial, denials: [each] }, say)}</AgentText>
				</span>
			))}
			<AgentText className="text-muted">{rest.filter(Boolean).join(' · ')}</AgentText>
		</PastRow>
	);
}

interface PastRowProps {
	at: string;
	sessionId: string;
	href: Route<`/sessions/${string}`>;
	/** The call. */
	what: string;
	action?: ReactNode;
	/** What came of it. */
	children: ReactNode;
}

/** A call that waits no more, in two lines: what it was and where, what came of it; with what can still be done. */
function PastRow({ at, sessionId, href, what, action, children }: PastRowProps) {
	const session = useSummary(sessionId);
	return (
		<li className="flex flex-wrap items-center gap-x-3 border-line border-b">
			<PageLink
				href={href}
				className="grid min-w-0 flex-1 basis-80 grid-cols-[4rem_minmax(0,1fr)] gap-x-3 py-1.5 hover:bg-hover"
			>
				<When at={at} />
				<span className="flex items-baseline gap-x-3">
					<AgentText className="min-w-0 truncate font-medium">{what}</AgentText>
					<AgentText className="min-w-0 max-w-2/5 shrink-0 truncate text-muted">
						{locationWords(session?.project, session?.branch, sessionId, session?.machine)}
					</AgentText>
					<ClientMark client={session?.agent} />
				</span>
				<span className="col-start-2 line-clamp-3 [overflow-wrap:anywhere] [&>*]:mr-3">{children}</span>
			</PageLink>
			{action && <div className="flex flex-col max-sm:pb-1.5 max-sm:pl-19 has-[section]:basis-full">{action}</div>}
		</li>
	);
}

/** The call, by its tool and title; a question or prompt by its headline. */
function pastName({ tool, asked, title, denials }: Pick<ApprovalView, 'tool' | 'asked' | 'title' | 'denials'>): string {
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
	const { approvalId, state, denials, review } = approval;
	const mayTryAgain = state === 'expired' || state === 'abandoned' || state === 'late';
	return (
		<PastRow
			at={lastChangeAt(approval)}
			sessionId={sessionId}
			href={rowAddress(sessionId, rowKeyOfApproval(approval))}
			what={denials.length > 0 && !review ? pastName(approval) : headlineOf(approval, say)}
			action={
				mayTryAgain &&
				denials.length > 0 && (
					<AllowNextTry
						source={{ approvalId }}
						denials={denials}
						isOver={session?.endedAt !== undefined}
						grant={grant}
						machine={session?.machine}
					/>
				)
			}
		>
			<span title={approval.by && deciderWords(approval.by, say)}>
				<ToneGlyph tone={approvalTones[state]} />
				<AgentText>{outcomeWords(approval, say)}</AgentText>
			</span>
			{alarm && <Toned tone="err">{say(alarmWords[alarm])}</Toned>}
			{denials.length > 0 && !review && <AgentText className="text-muted">{reasonOf(approval, say)}</AgentText>}
		</PastRow>
	);
}

/** What became of it, who decided, and in which words. */
function outcomeWords({ by, reason, ...approval }: ApprovalView, say: Say): string {
	if (!by) return personWords({ ...approval, ...(reason !== undefined && { reason }) }, say);
	const words = personWords(approval, say);
	const short = { [say('denied by an operator')]: say('Denied'), [say('approved by an operator')]: say('Approved') };
	const who = by.via === 'token' && !by.name ? say('unnamed token') : deciderName(by, say);
	return [short[words] ?? capital(words), who, reason && `“${reason}”`].filter(Boolean).join(' · ');
}

export function UsedGrants({ grants }: { grants: readonly GrantRecord[] }) {
	const say = useSay();
	if (grants.length === 0) return null;
	return (
		<Part isList className="pt-4" title={say('Overrides used')}>
			{grants.slice(0, MAX_GRANTS).map(({ id, tool, title, reason, by, sessionId, createdAt, lastUse }) => {
				const row = lastUse?.toolUseId === undefined ? undefined : `call:${lastUse.toolUseId}`;
				const session = lastUse?.sessionId ?? sessionId;
				return (
					<PastRow
						key={id}
						at={lastUse?.at ?? createdAt}
						sessionId={session}
						href={rowAddress(session, row)}
						what={pastName({ tool, title, denials: [] })}
					>
						<AgentText>
							{say('a later try ran: allowed by an operator “{reason}” ({by})', { reason, by: deciderName(by, say) })}
						</AgentText>
					</PastRow>
				);
			})}
		</Part>
	);
}
