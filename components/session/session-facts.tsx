import dynamic from 'next/dynamic';
import { memo } from 'react';
import { agentTitle, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Plain } from '#lib/messages/say.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useAtMostEvery } from '../live/now.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useRoute } from '../live/use-answer.ts';
import { compareAddress, featureAddress } from '../row/addresses.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { Toned } from '../ui/tone.tsx';
import { loopWords } from './workflow-line.tsx';

const Observations = dynamic(() => import('./observations.tsx').then((module) => module.Observations));

/** Minimum interval (ms) between renders, because the figures change with every event. */
const REFRESH_MS = 500;

export function SessionFacts({ sessionId }: { sessionId: string }) {
	const { isLive } = useSessionSource();
	const view = useAtMostEvery(
		useSession(sessionId, (session) => session.view),
		REFRESH_MS,
	);
	return view && <Facts view={view} isLive={isLive} />;
}

const Facts = memo(function Facts({ view, isLive }: { view: SessionView; isLive: boolean }) {
	const say = useSay();
	const { sessionId, cwd, model, startedAt, ended, lost, lastMessage, counters, todos, workflow, plan, agent } = view;
	const loop = loopWords(view, say);
	const end = ended ?? lost;
	return (
		<div className="flex flex-col gap-2">
			<h2 className="font-semibold text-title">{say('This session')}</h2>
			<dl>
				<DetailFact isCode name={say('Id')}>
					{sessionId}
				</DetailFact>
				<DetailFact isCode name={say('Folder')}>
					{cwd}
				</DetailFact>
				<DetailFact name={say('Client')}>{agentTitle(agent ?? FIRST_AGENT)}</DetailFact>
				<DetailFact name={say('Model')}>{model}</DetailFact>
				<DetailFact name={say('Workflow')}>{workflow?.workflowType}</DetailFact>
				<DetailFact name={say('Feature')}>
					{workflow?.featureName && <FeatureLink sessionId={sessionId} name={workflow.featureName} />}
				</DetailFact>
				<DetailFact name={say('Plan')}>{plan?.planId}</DetailFact>
				<DetailFact name={say('Loop')}>{loop}</DetailFact>
				<DetailFact name={say('Started')}>{startedAt && dayAndTime(startedAt)}</DetailFact>
				<DetailFact name={say('Ended')}>{end && dayAndTime(end.at)}</DetailFact>
				<DetailFact name={say('Last said')}>{lastMessage && plainLine(lastMessage)}</DetailFact>
			</dl>
			{isLive && !view.machine && (
				<TextLink
					href={compareAddress('previous', sessionId)}
					title={say('With the session before it, of the same project and workflow')}
					className="w-fit"
				>
					{say('Compare with predecessor')}
				</TextLink>
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

/** Name of the workflow's feature, as a link if the project has this feature. */
function FeatureLink({ sessionId, name }: { sessionId: string; name: string }) {
	const { isLive } = useSessionSource();
	const request = isLive ? { query: { session: sessionId } } : null;
	const { data } = useRoute('GET /api/features', request, { version: name });
	const feature = data?.features.find((each) => each.name === name);
	const words = <AgentText>{name}</AgentText>;
	return feature ? <TextLink href={featureAddress(feature.id)}>{words}</TextLink> : words;
}

type Todos = NonNullable<SessionView['todos']>;

const looks: ReadonlyMap<string, { word: Plain; tone: Tone }> = new Map([
	['pending', { word: 'pending', tone: 'plain' }],
	['in_progress', { word: 'in progress', tone: 'run' }],
	['completed', { word: 'completed', tone: 'ok' }],
]);

export function TodoList({ todos }: { todos: Todos }) {
	const say = useSay();
	const keyed = todos.map((todo, index) => ({ ...todo, key: `${index} ${todo.content}` }));
	return (
		<ul aria-label={say('Todos')}>
			{keyed.map(({ key, content, status }) => (
				<li key={key} className="flex gap-2 py-0.5">
					<TodoStatus status={status} />
					<AgentText className="min-w-0 [overflow-wrap:anywhere]">{content}</AgentText>
				</li>
			))}
		</ul>
	);
}

function TodoStatus({ status }: { status: string }) {
	const say = useSay();
	const look = looks.get(status);
	if (!look) return <AgentText className="w-24 shrink-0 text-muted">{status}</AgentText>;
	return (
		<Toned tone={look.tone} className="w-24 shrink-0">
			{say(look.word)}
		</Toned>
	);
}
