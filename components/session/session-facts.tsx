'use client';
import dynamic from 'next/dynamic';
import { memo } from 'react';
import type { SessionView } from '#lib/session/view.ts';
import { countOf } from '#lib/text/count-of.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAtMostEvery } from '../live/use-at-most-every.ts';
import { AgentText } from '../text/agent-text.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';
import { TodoList } from './todo-list.tsx';

const Observations = dynamic(() => import('./observations.tsx').then((module) => module.Observations));

/** They count every event, and nobody reads forty figures a second. */
const AGAIN_MS = 500;

/** What the detail pane tells of the session itself, while no row is selected. */
export function SessionFacts({ sessionId }: { sessionId: string }) {
	const { isLive } = useSessionSource();
	const view = useAtMostEvery(
		useSession(sessionId, (session) => session.view),
		AGAIN_MS,
	);
	return view && <Facts view={view} isLive={isLive} />;
}

const Facts = memo(function Facts({ view, isLive }: { view: SessionView; isLive: boolean }) {
	const { sessionId, cwd, model, pid, startedAt, ended, lost, lastMessage, counters, todos } = view;
	return (
		<div className="flex flex-col gap-2">
			<h2 className="font-semibold text-title">This session</h2>
			<dl>
				<DetailFact name="Id">
					<AgentText className="font-mono text-mono">{sessionId}</AgentText>
				</DetailFact>
				{cwd && (
					<DetailFact name="Folder">
						<AgentText className="font-mono text-mono">{cwd}</AgentText>
					</DetailFact>
				)}
				{model && (
					<DetailFact name="Model">
						<AgentText>{model}</AgentText>
					</DetailFact>
				)}
				{pid !== undefined && <DetailFact name="Process">{pid}</DetailFact>}
				{startedAt && <DetailFact name="Started">{dayAndTime(startedAt)}</DetailFact>}
				{ended && <DetailFact name="Ended">{dayAndTime(ended.at)}</DetailFact>}
				{lost && <DetailFact name="Lost">{dayAndTime(lost.at)}: the agent’s process is gone</DetailFact>}
				<DetailFact name="Recorded">
					{countOf(counters.events, 'event')}, {countOf(counters.prompts, 'prompt')}, {countOf(counters.calls, 'call')}
				</DetailFact>
				{lastMessage && (
					<DetailFact name="Last said">
						<AgentText>{lastMessage}</AgentText>
					</DetailFact>
				)}
			</dl>
			{todos && todos.length > 0 && (
				<>
					<h3 className="text-muted">Todos</h3>
					<TodoList todos={todos} />
				</>
			)}
			{isLive && <Observations sessionId={sessionId} events={counters.events} />}
		</div>
	);
});
