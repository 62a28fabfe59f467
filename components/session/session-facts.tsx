'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { memo } from 'react';
import { agentTitle, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useAtMostEvery } from '../live/use-at-most-every.ts';
import { compareAddress } from '../row/compare-address.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { FeatureLink } from './feature-link.tsx';
import { TodoList } from './todo-list.tsx';
import { loopWords } from './workflow-line.tsx';

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
	const { sessionId, cwd, model, pid, startedAt, ended, lost, lastMessage, counters, todos, workflow, plan, agent } =
		view;
	const loop = loopWords(view, say);
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
				<DetailFact name={say('Client')}>
					<AgentText>{agentTitle(agent ?? FIRST_AGENT)}</AgentText>
				</DetailFact>
				{model && (
					<DetailFact name={say('Model')}>
						<AgentText>{model}</AgentText>
					</DetailFact>
				)}
				{workflow && (
					<DetailFact name={say('Workflow')}>
						<AgentText>{workflow.workflowType ?? ''}</AgentText>
					</DetailFact>
				)}
				{workflow?.featureName && (
					<DetailFact name={say('Feature')}>
						<FeatureLink sessionId={sessionId} name={workflow.featureName} />
					</DetailFact>
				)}
				{plan && (
					<DetailFact name={say('Plan')}>
						<AgentText>{plan.planId}</AgentText>
					</DetailFact>
				)}
				{loop !== undefined && <DetailFact name={say('Loop')}>{loop}</DetailFact>}
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
						<AgentText>{plainLine(lastMessage)}</AgentText>
					</DetailFact>
				)}
			</dl>
			{isLive && !view.machine && (
				<Link
					href={compareAddress('previous', sessionId)}
					prefetch={false}
					title={say('With the session before it, of the same project and workflow')}
					className="inline-flex min-h-6 w-fit items-center text-accent underline pointer-coarse:min-h-10"
				>
					{say('Compare with predecessor')}
				</Link>
			)}
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
