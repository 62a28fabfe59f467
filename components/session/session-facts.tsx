'use client';
import dynamic from 'next/dynamic';
import { memo } from 'react';
import type { SessionView } from '#lib/session/view.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAtMostEvery } from '../live/use-at-most-every.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
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
	const say = useSay();
	const { sessionId, cwd, model, pid, startedAt, ended, lost, lastMessage, counters, todos } = view;
	return (
		<div className="flex flex-col gap-2">
			<h2 className="font-semibold text-title">{say('This session')}</h2>
			<dl>
				<DetailFact name={say('Id')}>
					<AgentText className="font-mono text-mono">{sessionId}</AgentText>
				</DetailFact>
				{cwd && (
					<DetailFact name={say('Folder')}>
						<AgentText className="font-mono text-mono">{cwd}</AgentText>
					</DetailFact>
				)}
				{model && (
					<DetailFact name={say('Model')}>
						<AgentText>{model}</AgentText>
					</DetailFact>
				)}
				{pid !== undefined && <DetailFact name={say('Process')}>{pid}</DetailFact>}
				{startedAt && <DetailFact name={say('Started')}>{dayAndTime(startedAt)}</DetailFact>}
				{ended && <DetailFact name={say('Ended')}>{dayAndTime(ended.at)}</DetailFact>}
				{lost && (
					<DetailFact name={say('Lost')}>
						{say('{at}: the agent’s process is gone', { at: dayAndTime(lost.at) })}
					</DetailFact>
				)}
				<DetailFact name={say('Recorded')}>
					{[
						say('{count} {count:event|events}', { count: counters.events }),
						say('{count} {count:prompt|prompts}', { count: counters.prompts }),
						say('{count} {count:call|calls}', { count: counters.calls }),
					].join(say(', '))}
				</DetailFact>
				{lastMessage && (
					<DetailFact name={say('Last said')}>
						<AgentText>{lastMessage}</AgentText>
					</DetailFact>
				)}
			</dl>
			{todos && todos.length > 0 && (
				<>
					<h3 className="text-muted">{say('Todos')}</h3>
					<TodoList todos={todos} />
				</>
			)}
			{isLive && <Observations sessionId={sessionId} events={counters.events} />}
		</div>
	);
});
