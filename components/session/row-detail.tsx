'use client';
import { type Row, rowLabel } from '#lib/session/row.ts';
import { clockTime } from '#lib/time/clock.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { useSession } from '../live/store.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CallFacts } from './call-facts.tsx';
import { DetailFact } from './detail-fact.tsx';
import { EventPayloads } from './event-payloads.tsx';
import { Related } from './related.tsx';
import { useActorName } from './use-actor-name.ts';
import { useRowEvents } from './use-row-events.ts';

/** Everything about the selected row. */
export function RowDetail({ sessionId, rowKey }: { sessionId: string; rowKey: string }) {
	const row = useSession(sessionId, ({ window }) => window.rows.find(({ key }) => key === rowKey) ?? null);
	const found = useRowEvents(sessionId, rowKey, row);
	const nameOf = useActorName(sessionId);
	const approval = row?.call?.approval;
	return (
		<div className="flex flex-col gap-2 p-4">
			{row && <Title row={row} />}
			{approval && <ApprovalCard key={approval.approvalId} sessionId={sessionId} approval={approval} />}
			{row?.call && <CallFacts call={row.call} />}
			{row && !row.call && (
				<dl>
					<DetailFact name="Actor">
						<AgentText>{nameOf(row.agentId)}</AgentText>
					</DetailFact>
					<DetailFact name="Time">{clockTime(row.at)}</DetailFact>
				</dl>
			)}
			{!found && <Skeleton label="The events of this row are loading" />}
			{found?.error && (
				<p role="alert" className="text-warn">
					{found.error} What is above is kept.
				</p>
			)}
			{found?.events && <EventPayloads events={found.events} />}
			{found?.events?.length === 0 && <p className="text-muted">No event belongs to this row.</p>}
			{row && <Related sessionId={sessionId} row={row} />}
		</div>
	);
}

function Title({ row }: { row: Row }) {
	const { call } = row;
	const name = call?.agentName ? `${call.tool} → ${call.agentName}` : (call?.tool ?? rowLabel(row).en);
	return (
		<h2 className="font-semibold text-title">
			<AgentText>{name}</AgentText>
		</h2>
	);
}
