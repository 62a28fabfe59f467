'use client';
import dynamic from 'next/dynamic';
import { isKnown } from '#lib/contract/events/is-known.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeOf } from '#lib/session/call.ts';
import { rowSentence } from '#lib/session/row.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { rowIn } from '#lib/timeline/row-window.ts';
import { useSay } from '../language/use-say.ts';
import { loadAround } from '../live/load-range.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useActorName } from '../row/use-actor-name.ts';
import { useRow } from '../row/use-row.ts';
import { useRowEvents } from '../row/use-row-events.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { CallFacts } from './call-facts.tsx';
import { EventPayloads } from './event-payloads.tsx';

const ApprovalCard = dynamic(() => import('../approvals/approval-card.tsx').then((module) => module.ApprovalCard));
/** Fetches the notes of a row. */
export const loadRowNotes = () => import('../session/notes/row-notes.tsx').then((module) => module.RowNotes);
const RowNotes = dynamic(loadRowNotes);
const AllowNextTry = dynamic(() =>
	import('../approvals/grants/allow-next-try.tsx').then((module) => module.AllowNextTry),
);

/** Everything about the selected row. */
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
	return (
		<div className="flex flex-col gap-2 p-4">
			{row && (
				<h2 className="pr-16 font-semibold text-title [overflow-wrap:anywhere]">
					<AgentText>{rowSentence(row, nameOf(row.agentId), folder, say)}</AgentText>
				</h2>
			)}
			{isElsewhere && seq !== undefined && (
				<Button size="small" className="self-start" onClick={() => void loadAround(source, seq)}>
					{say('Show its place in the story')}
				</Button>
			)}
			{source.isLive && approval && (
				<ApprovalCard key={approval.approvalId} sessionId={sessionId} approval={approval} />
			)}
			{row?.call && <CallFacts call={row.call} />}
			{source.isLive && row?.call && !approval && mayTryAgain(row.call) && (
				<AllowNextTry
					source={{ sessionId, toolUseId: row.call.toolUseId }}
					denials={denialsOf(row.call)}
					form={formOf(row.call)}
				/>
			)}
			{row && !row.call && (
				<dl>
					<DetailFact name={say('Actor')}>
						<AgentText>{nameOf(row.agentId)}</AgentText>
					</DetailFact>
					<DetailFact name={say('Time')}>{dayAndTime(row.at)}</DetailFact>
				</dl>
			)}
			{!rowEvents && <Skeleton label={say('The events of this row are loading')} />}
			{rowEvents?.error && (
				<p role="alert" className="text-warn">
					{say('{error} What is above is kept.', { error: say.known(rowEvents.error) })}
				</p>
			)}
			{rowEvents?.events && <EventPayloads sessionId={sessionId} events={rowEvents.events} />}
			{rowEvents?.events?.length === 0 && (
				<p className="text-muted">
					{source.isLive ? say('No event belongs to this row.') : say('At this instant it has not happened yet.')}
				</p>
			)}
			{row && <RowNotes key={rowKey} sessionId={sessionId} row={row} stage={stageOf(rowEvents?.events)} />}
			{row && (
				<div className="border-line border-t pt-2">
					<CopyButton label={say('Copy link')} text={() => window.location.href} />
				</div>
			)}
		</div>
	);
}

/** Denied, and it did not run. */
function mayTryAgain(call: CallView): boolean {
	return outcomeOf(call) === 'stopped' && denialsOf(call).length > 0;
}

const denialsOf = ({ verdicts }: CallView) => verdicts.filter(({ decision }) => decision === 'deny');
const formOf = (call: CallView) => denialsOf(call).find(({ form }) => form)?.form;

/** The stage that a row is about. */
function stageOf(events: readonly IndexedEvent[] | null | undefined): string | undefined {
	const [first] = events ?? [];
	return first && isKnown(first) && 'stage' in first ? first.stage : undefined;
}
