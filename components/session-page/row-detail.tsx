import dynamic from 'next/dynamic';
import { useCallback } from 'react';
import {
	deciderWords,
	grantWords,
	holdWords,
	noteOf,
	objectionWords,
	outcomeWords,
	personWords,
} from '#lib/approvals/call-words.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { CallVerdict, CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { UNREADABLE_PLAN_RULE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import type { Say } from '#lib/messages/say.ts';
import { durationOf, holdOf, outcomeOf } from '#lib/session/call.ts';
import { exitCodeOf } from '#lib/session/command-result.ts';
import { rowSentence } from '#lib/session/row.ts';
import { rowIn } from '#lib/session/session-state.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime, dayAndTime, isSameDay } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { loadAround, useSession, useSessionSource } from '../live/session-source.ts';
import { useAnswer } from '../live/use-answer.ts';
import { useActorName, useRowEvents } from '../row/row-hooks.ts';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';
import { Fold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { EventPayloads, Failures } from './event-payloads.tsx';

const ApprovalCard = dynamic(() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard));
export const loadRowNotes = () => import('../session/notes/notes.tsx').then((module) => module.RowNotes);
const RowNotes = dynamic(loadRowNotes);
const AllowNextTry = dynamic(() =>
	import('../approvals/grants/allow-next-try.tsx').then((module) => module.AllowNextTry),
);

export function RowDetail({ sessionId, rowKey }: { sessionId: string; rowKey: string }) {
	const say = useSay();
	const source = useSessionSource();
	const version = useSession(sessionId, ({ window }) => rowIn(window.rows, rowKey) ?? null);
	const rowEvents = useRowEvents(sessionId, rowKey, version);
	const seq = rowEvents?.events?.[0]?.seq;
	const { row, isElsewhere } = useRow(sessionId, rowKey, seq);
	const nameOf = useActorName(sessionId);
	const folder = useSession(sessionId, ({ view }) => view?.cwd ?? null);
	const alone = useSession(sessionId, ({ view }) =>
		view?.approvals.find(({ approvalId }) => rowKey === `approval:${approvalId}`),
	);
	const approval = row?.call?.approval ?? alone;
	const cardApproval = source.isLive ? approval : null;
	const hasCard = Boolean(cardApproval);
	const machine = useSession(sessionId, ({ view }) => view?.machine ?? null) ?? undefined;
	return (
		<div className="flex flex-col gap-2 p-4">
			{row && !hasCard && (
				<h2 className="pr-10 font-semibold text-title [overflow-wrap:anywhere]">
					<AgentText>{rowSentence(row, nameOf(row.agentId), folder, say)}</AgentText>
				</h2>
			)}
			{isElsewhere && seq !== undefined && (
				<Button size="small" className="self-start" onClick={() => void loadAround(source, seq)}>
					{say('Show its place in the story')}
				</Button>
			)}
			{cardApproval && (
				<ApprovalCard key={cardApproval.approvalId} isInSession sessionId={sessionId} approval={cardApproval} />
			)}
			{row?.call && !hasCard && <CallFacts call={row.call} />}
			{source.isLive && row?.call && !approval && mayTryAgain(row.call) && (
				<AllowNextTry
					source={{ sessionId, toolUseId: row.call.toolUseId }}
					denials={denialsOf(row.call)}
					form={formOf(row.call)}
					machine={machine}
				/>
			)}
			{row && !row.call && (
				<AgentText className="text-muted">{`${nameOf(row.agentId)} · ${dayAndTime(row.at)}`}</AgentText>
			)}
			{!rowEvents && <Skeleton label={say('The events of this row are loading')} />}
			{rowEvents?.error && (
				<Alert>{say('{error} What is above is kept.', { error: say.known(rowEvents.error) })}</Alert>
			)}
			<Failures events={rowEvents?.events ?? []} />
			{rowEvents?.events && (
				<EventPayloads
					sessionId={sessionId}
					events={rowEvents.events.filter((event) => !hasCard || !isOnCard(event))}
				/>
			)}
			{hasCard && (
				<Fold title={say('Details')} className="border-line border-t py-1" titleClassName="text-muted hover:text-text">
					{row?.call && <CallFacts call={row.call} hasCard />}
					{rowEvents?.events && <EventPayloads sessionId={sessionId} events={rowEvents.events.filter(isOnCard)} />}
				</Fold>
			)}
			{rowEvents?.events?.length === 0 && (
				<p className="text-muted">
					{source.isLive ? say('No event belongs to this row.') : say('At this instant it has not happened yet.')}
				</p>
			)}
			{row && (
				<div className="flex flex-wrap items-start gap-2 border-line [&>:first-child]:-ml-2 pointer-coarse:[&>:first-child]:-ml-3 border-t pt-2 [&_button:not([type=submit])]:border-transparent [&_button:not([type=submit])]:text-muted">
					<RowNotes key={rowKey} sessionId={sessionId} row={row} stage={stageOf(rowEvents?.events)} />
					<CopyButton label={say('Copy link')} text={() => window.location.href} />
				</div>
			)}
		</div>
	);
}

const onCard: ReadonlySet<string> = new Set(['tool:call', 'gate:verdict', 'approval:request']);

/** Whether the card of the approval shows the content of an event. A validator's assessment stands below it. */
const isOnCard = (event: IndexedEvent): boolean =>
	onCard.has(event.type) &&
	!(isKnown(event) && event.type === 'gate:verdict' && typeof event.facts.assessmentId === 'string');

const mayTryAgain = (call: CallView): boolean => outcomeOf(call) === 'stopped' && denialsOf(call).length > 0;

const denialsOf = ({ verdicts }: CallView) => verdicts.filter(({ decision }) => decision === 'deny');
const formOf = (call: CallView) => denialsOf(call).find(({ form }) => form)?.form;

function stageOf(events: readonly IndexedEvent[] | null | undefined): string | undefined {
	const [first] = events ?? [];
	return first && isKnown(first) && 'stage' in first ? first.stage : undefined;
}

/** A row by key, from the loaded story. Otherwise requested by `seq`, the seq of its first event. */
function useRow(sessionId: string, key: string, seq: number | undefined) {
	const { getRows } = useSessionSource();
	const loaded = useSession(sessionId, ({ window }) => rowIn(window.rows, key) ?? null);
	const isElsewhere = loaded === null && seq !== undefined;
	const ask = useCallback(() => getRows(sessionId, { after: (seq ?? 1) - 1, limit: 1 }), [getRows, sessionId, seq]);
	const { data } = useAnswer(isElsewhere ? ask : null);
	return { row: loaded ?? data?.rows.find((row) => row.key === key) ?? null, isElsewhere };
}

const decisionLook = {
	deny: { tone: 'err', word: 'denied' },
	ask: { tone: 'wait', word: 'asks a person' },
	pass: { tone: 'ok', word: 'pass' },
} as const;

/** Passed because the gate could not judge: shown as a warning, not as a pass. */
function verdictMark({ decision, rule }: CallVerdict) {
	if (rule === UNREADABLE_PLAN_RULE) return { tone: 'warn', word: 'not judged, let pass' } as const;
	return decisionLook[decision];
}

/** Verdicts, person, outcome and times of a call, listed separately. With `hasCard`, omits what the card above shows. */
export function CallFacts({ call, hasCard = false }: { call: CallView; hasCard?: boolean }) {
	const say = useSay();
	const { word, tone } = outcomeWords(call);
	const { approval, error = '' } = call;
	const code = exitCodeOf(error);
	const note = noteOf(call, say);
	// An error stands in full below.
	const hasNews =
		note && !approval && !call.error && !call.mismatch && denialsOf(call).every(({ reason }) => reason !== note);
	const isShownAbove = hasCard || (outcomeOf(call) === 'stopped' && denialsOf(call).length > 0);
	const end = [say(word), code !== undefined && say('exit code {code}', { code: String(code) }), call.agentEnd?.result];
	return (
		<dl>
			<dt className="sr-only">{say('Outcome')}</dt>
			<dd className="pb-1 [overflow-wrap:anywhere]">
				{(!isShownAbove || hasNews) && (
					<Toned tone={tone}>
						<AgentText>{`${end.filter(Boolean).join(', ')} · `}</AgentText>
					</Toned>
				)}
				<span className="text-muted">{timesOf(call, say)}</span>
				{hasNews && <AgentText className="block text-muted">{note}</AgentText>}
			</dd>
			{call.verdicts.map((verdict) => (
				<VerdictFact key={`${verdict.gate} ${verdict.rule}`} call={call} verdict={verdict} />
			))}
			{approval && !(hasCard && approval.state === 'waiting') && (
				<DetailFact name={say(hasCard ? 'Decided' : 'Person')}>
					{!hasCard && <AgentText>{`${personWords(approval, say)}, `}</AgentText>}
					{approval.decidedAt && <span className="text-muted">{clockTime(approval.decidedAt)}</span>}
					{approval.by && <Who by={approval.by} />}
				</DetailFact>
			)}
			{call.grant && (
				<DetailFact name={say('Person')}>
					<AgentText>{grantWords(call.grant, say)}</AgentText>
					<span className="text-muted">{madeWords(call.grant, say)}</span>
					<Who by={call.grant.by} />
				</DetailFact>
			)}
		</dl>
	);
}

/** `, used 12:31:05 (grant 3fa2b1c0, made by browser 5e6f at 12:30:00)` */
function madeWords({ at, grantId, by, madeAt }: NonNullable<CallView['grant']>, say: Say): string {
	const values = { time: clockTime(at), grant: grantId.slice(0, 8), who: deciderWords(by, say) };
	return madeAt
		? say(', used {time} (grant {grant}, made by {who} at {made})', { ...values, made: clockTime(madeAt) })
		: say(', used {time} (grant {grant}, made by {who})', values);
}

/** The name, and a link to the access page, which identifies sign-ins, tokens and passkeys. */
function Who({ by }: { by: Decider }) {
	const say = useSay();
	const href = by.access === undefined ? '/access' : (`/access?who=${by.access}` as const);
	return (
		<>
			{by.name && <AgentText className="text-muted">{`, ${by.name}`}</AgentText>}
			<TextLink href={href} className="flex w-fit" title={deciderWords(by, say)}>
				{say('Who that is')}
			</TextLink>
		</>
	);
}

function VerdictFact({ call, verdict }: { call: CallView; verdict: CallVerdict }) {
	const say = useSay();
	const { gate, rule, reason, form, decision } = verdict;
	const { tone, word } = verdictMark(verdict);
	return (
		<DetailFact name={say('Verdict')}>
			<span title={visibleString(rule)}>
				<Toned tone={tone}>{say(word)}</Toned> <AgentText>{say.known(gateSentence(gate))}</AgentText>
				<AgentText className="block text-muted">
					{decision === 'pass' ? reason : objectionWords(call, reason, say)}
				</AgentText>
			</span>
			{form === 'stop' && (
				<span className="block text-warn">
					{say('This form ends the agent’s turn: the model never reads the reason.')}
				</span>
			)}
		</DetailFact>
	);
}

/** `12:31:05 · gate 2ms · hold 58s · 2m 11s` */
function timesOf(call: CallView, say: Say): string {
	const gate = call.verdicts.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
	const hold = holdOf(call);
	const tool = call.evidence ? durationOf(call) : undefined;
	const parts = [isSameDay(Date.parse(call.at), Date.now()) ? clockTime(call.at) : dayAndTime(call.at)];
	if (gate > 0) parts.push(say('gate {time}', { time: spanDuration(gate, say.language) }));
	if (hold) parts.push(say('hold {time}', { time: holdWords(hold, say) }));
	if (tool !== undefined) parts.push(spanDuration(tool, say.language));
	return parts.join(' · ');
}
